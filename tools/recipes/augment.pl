#!/usr/bin/perl
# Usage: augment.pl [OPTION]... < LINES
#
# Makes students robust to text that corpora rarely have: upper case, title case,
# typing errors, dropped punctuation.  A filter over lines, one for one: what
# happens to a line depends on the seed, its number and the modifier only, so that
# both sides of a corpus can be changed alike:
#
#   augment.pl --upper-case 0.05 --title-case 0.05 --typos 0.1 < train.en > new.en
#   augment.pl --upper-case 0.05 --title-case 0.05             < train.de > new.de
#
#   --upper-case P          share of lines that are all in upper case
#   --title-case P          share of lines whose words begin with capitals
#   --drop-punctuation P    share of lines that lose the punctuation at their end
#   --typos P               share of lines with typing errors
#   --typo-rate R           share of their words (default: 0.1), of which two
#                           letters are swapped, or one is left out, doubled or
#                           replaced by its neighbor
#   --seed N                (default: 1)
#   --help                  print this text
use strict;
use warnings;
use open qw(:std :encoding(UTF-8));

my %option = ('upper-case' => 0, 'title-case' => 0, 'drop-punctuation' => 0, typos => 0, 'typo-rate' => 0.1, seed => 1);
while (@ARGV) {
  my $word = shift @ARGV;
  if ($word eq '--help') {
    open my $self, '<', $0 or die;
    while (<$self>) { print if $. > 1 && s/^# ?//; last if /^use / }
    exit;
  }
  my $name = $word =~ s{^--}{}r;
  $word ne $name && exists $option{$name} or print STDERR "augment.pl: unknown option '$word'\n" and exit 2;
  my $value = shift @ARGV;
  defined $value && $value =~ /^[0-9]*\.?[0-9]+$/ or print STDERR "augment.pl: option '--$name' needs a number\n" and exit 2;
  $name eq 'seed' || $value <= 1 or print STDERR "augment.pl: option '--$name': must be in [0, 1], got $value\n" and exit 2;
  $option{$name} = $value;
}

# uniform(NAME, NUMBER...): a number in [0, 1) by the seed and these, from a 32-bit hash.
sub uniform {
  my $hash = 2166136261;
  for my $byte (unpack 'C*', join ' ', $option{seed}, @_) { $hash = ($hash ^ $byte) * 16777619 % 4294967296 }
  for my $shift (16, 13, 16) { $hash = ($hash ^ $hash >> $shift) * 73244475 % 4294967296 }
  return $hash / 4294967296;
}

sub typo {
  my ($word, @place) = @_;
  return $word if length $word < 4 || $word !~ /^\p{L}+[\p{P}]?$/;
  my $at = 1 + int(uniform('place', @place) * (length($word) - 3));
  my $kind = int(uniform('kind', @place) * 4);
  if ($kind == 0) { substr($word, $at, 2) = reverse substr($word, $at, 2) }
  elsif ($kind == 1) { substr($word, $at, 1) = '' }
  elsif ($kind == 2) { substr($word, $at, 1) x= 2 }
  else { substr($word, $at, 1) = substr($word, $at + 1, 1) }
  return $word;
}

# failed(WHAT): ends with one line for it.
sub failed { print STDERR "augment.pl: @_\n"; exit 1 }

local $SIG{__WARN__} = sub { failed('the input is not UTF-8') if $_[0] =~ /does not map to Unicode/ };
while (my $line = <STDIN>) {
  my $has_end = $line =~ s/\n\z//;
  if (uniform('typos', $.) < $option{typos}) {
    my $number = 0;
    $line =~ s/(\S+)/++$number, uniform('word', $., $number) < $option{'typo-rate'} ? typo($1, $., $number) : $1/ge;
  }
  $line =~ s/\p{P}+\s*$// if uniform('drop-punctuation', $.) < $option{'drop-punctuation'};
  if (uniform('upper-case', $.) < $option{'upper-case'}) { $line = uc $line }
  elsif (uniform('title-case', $.) < $option{'title-case'}) { $line =~ s/(\p{L}[\p{L}\p{M}']*)/ucfirst $1/ge }
  print $line, $has_end ? "\n" : '' or failed("stdout: $!");
}
# Errors of reading end the loop, too, and those of writing may be found here only.
close STDIN or failed("stdin: $!");
close STDOUT or failed("stdout: $!");
