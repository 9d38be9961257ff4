<?php
// PHP's PharData, which has readers of its own for ZIPs and tars.
foreach (array_slice($argv, 1) as $number => $path) {
    try {
        $start = "phar://$path/";
        foreach (new RecursiveIteratorIterator(new PharData($path), RecursiveIteratorIterator::SELF_FIRST) as $file) {
            $name = substr($file->getPathname(), strlen($start));
            $kind = $file->isDir() ? 'directory' : 'other';
            $digest = $file->isDir() ? '-' : hash('sha256', $file->getContent());
            $mode = $file->isDir() ? '-' : decoct($file->getPerms() & 07777);
            echo "$number\tentry\t", bin2hex($name), "\t$kind\t$mode\t$digest\t-\n";
        }
    } catch (Throwable $error) {
        echo "$number\terror\t", bin2hex($error->getMessage()), "\n";
    }
}
