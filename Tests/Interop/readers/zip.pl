# Perl's Archive::Zip.
use strict;
use warnings;
use Archive::Zip qw(:ERROR_CODES);
use Digest::SHA qw(sha256_hex);

my $said = '';
Archive::Zip::setErrorHandler(sub { $said .= join '', @_ });
for my $number (0 .. $#ARGV) {
    my $archive = Archive::Zip->new;
    $said = '';
    if ($archive->read($ARGV[$number]) != AZ_OK) {
        print "$number\terror\t", unpack('H*', $said), "\n";
        next;
    }
    for my $member ($archive->members) {
        my ($bytes, $status) = $member->contents;
        my $kind = $member->isDirectory ? 'directory' : $member->isSymbolicLink ? 'link' : 'file';
        my $mode = $member->fileAttributeFormat == 3 ? sprintf('%o', $member->unixFileAttributes & 07777) : '-';
        my $name = $member->fileName;
        utf8::encode($name) if utf8::is_utf8($name);
        if ($status != AZ_OK) {
            print "$number\terror\t", unpack('H*', "$name: $said"), "\n";
            next;
        }
        my $target = $kind eq 'link' ? unpack('H*', $bytes) : '-';
        print "$number\tentry\t", unpack('H*', $name), "\t$kind\t$mode\t", sha256_hex($bytes), "\t$target\n";
    }
}
