# Perl's Archive::Tar.
use strict;
use warnings;
use Archive::Tar;
use Archive::Tar::Constant;
use Digest::SHA qw(sha256_hex);

$Archive::Tar::WARN = 0;
for my $number (0 .. $#ARGV) {
    my $archive = Archive::Tar->new;
    if (!$archive->read($ARGV[$number])) {
        print "$number\terror\t", unpack('H*', $archive->error // ''), "\n";
        next;
    }
    for my $file ($archive->get_files) {
        my $kind = $file->is_dir ? 'directory' : $file->is_symlink ? 'link' : $file->is_file ? 'file' : 'other';
        my $target = $kind eq 'link' ? unpack('H*', $file->linkname) : '-';
        print "$number\tentry\t", unpack('H*', $file->full_path), "\t$kind\t", sprintf('%o', $file->mode & 07777), "\t",
            sha256_hex($file->get_content // ''), "\t$target\n";
    }
}
