<?php
// PHP's ZipArchive, which is libzip.
foreach (array_slice($argv, 1) as $number => $path) {
    $archive = new ZipArchive();
    $status = $archive->open($path, ZipArchive::RDONLY);
    if ($status !== true) {
        echo "$number\terror\t", bin2hex("open: $status"), "\n";
        continue;
    }
    for ($index = 0; $index < $archive->numFiles; $index++) {
        $name = $archive->getNameIndex($index);
        $bytes = $archive->getFromIndex($index);
        if ($bytes === false) {
            echo "$number\terror\t", bin2hex("$name: " . $archive->getStatusString()), "\n";
            continue;
        }
        $system = $attributes = 0;
        $archive->getExternalAttributesIndex($index, $system, $attributes);
        $mode = $system === ZipArchive::OPSYS_UNIX ? $attributes >> 16 & 0177777 : 0;
        $type = $mode & 0170000;
        $kind = $type === 0120000 ? 'link' : (substr($name, -1) === '/' ? 'directory' : 'file');
        $target = $kind === 'link' ? bin2hex($bytes) : '-';
        $shown = $mode ? decoct($mode & 07777) : '-';
        echo "$number\tentry\t", bin2hex($name), "\t$kind\t$shown\t", hash('sha256', $bytes), "\t$target\n";
    }
}
