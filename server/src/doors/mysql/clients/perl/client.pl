#!/usr/bin/perl
# DBD::mysql through the steps of the contract (see ../README.md).
use strict;
use warnings;
use utf8;
use DBI;
use JSON::PP;

$| = 1;
my $json = JSON::PP->new->utf8->canonical->allow_nonref;
open(my $file, '<:raw', $ENV{SCENARIO}) or die $!;
my $scenario = $json->decode(join '', <$file>);

sub connect_to {
    my %with = (tls => 1, password => $ENV{MYSQL_PASSWORD}, charset => 'utf8mb4', @_);
    my $place = "DBI:mysql:database=$ENV{MYSQL_DATABASE};host=$ENV{MYSQL_HOST};port=$ENV{MYSQL_PORT}"
        . ($with{tls} ? ';mysql_ssl=1;mysql_ssl_optional=1' : '')
        . ($with{several} ? ';mysql_multi_statements=1' : '')
        . ($with{prepared} ? ';mysql_server_prepare=1' : '');
    my $handle = DBI->connect($place, $ENV{MYSQL_USER}, $with{password},
        { RaiseError => 1, PrintError => 0, AutoCommit => 1, mysql_enable_utf8mb4 => $with{charset} eq 'utf8mb4' });
    $handle->do("set names $with{charset}") if $with{charset} ne 'utf8mb4';
    return $handle;
}

sub said {
    my ($value, $kind) = @_;
    return undef unless defined $value;
    return ['text', $kind eq 'bytes' ? unpack('H*', $value) : "$value"];
}

sub texts { [map { [map { defined $_ ? "$_" : undef } @$_] } @{ $_[0] }] }
sub ask { my ($handle, $sql, @values) = @_; texts($handle->selectall_arrayref($sql, undef, @values)) }
sub change { my ($handle, $sql, @values) = @_; $handle->do($sql, undef, @values) + 0 }
sub firsts { [map { $_->[0] } @{ ask(@_) }] }

sub failure {
    my ($work) = @_;
    return undef if eval { $work->(); 1 };
    return { code => $DBI::err + 0, state => $DBI::state };
}

sub everything {
    my ($handle, $where, @values) = @_;
    my $statement = $handle->prepare("select * from everything $where order by id");
    $statement->execute(@values);
    my @names = @{ $statement->{NAME} };
    my @kinds = map { $_->{kind} } @{ $scenario->{columns} };
    my @rows = map { my $row = $_; [map { said($row->[$_], $kinds[$_]) } 0 .. $#kinds] } @{ $statement->fetchall_arrayref };
    return { columns => \@names, rows => \@rows };
}

sub hostile {
    my ($handle, @texts) = @_;
    @texts = @{ $scenario->{hostile} } unless @texts;
    change($handle, 'delete from hostile');
    my $at = 0;
    change($handle, 'insert into hostile values (?, ?)', $at++, $_) for @texts;
    my @found = map { scalar @{ ask($handle, 'select text from hostile where text = ?', $_) } } @texts;
    return { values => firsts($handle, 'select text from hostile order by id'), found => \@found };
}

# Perl's texts are bytes here: they are in the character set of the connection.
sub charsets {
    my %said;
    for my $charset (@{ $scenario->{charsets} }) {
        my @sent = map { pack('H*', $_) } @{ $charset->{bytes} };
        my %text;
        @text{@sent} = @{ $charset->{texts} };
        my $error = failure(sub {
            my $stored = hostile(connect_to(charset => $charset->{name}, several => 1), @sent);
            $stored->{values} = [map { $text{$_} } @{ $stored->{values} }];
            $said{ $charset->{name} } = $stored;
        });
        $said{ $charset->{name} } = { error => $error } if $error;
    }
    return \%said;
}

# Runs the long query in a process of its own; kills it as soon as it is seen to run.
sub killed {
    my ($statement) = @_;
    pipe(my $reader, my $writer);
    my $child = fork();
    if ($child == 0) {
        my $handle = connect_to();
        syswrite($writer, ask($handle, 'select connection_id()')->[0][0] . "\n");
        my $error = failure(sub { ask($handle, $scenario->{long}) });
        my $after;
        my $lost = failure(sub { $after = ask($handle, 'select 1') });
        syswrite($writer, $json->encode({ error => $error, rows => $after, isLost => defined $lost ? \1 : \0 }) . "\n");
        $handle->{InactiveDestroy} = 1;
        require POSIX;
        POSIX::_exit(0);
    }
    close $writer;
    chomp(my $number = <$reader>);
    my $watcher = connect_to();
    my $is_seen = 0;
    until ($is_seen) {
        my $seen = $watcher->selectall_arrayref('show full processlist', { Slice => {} });
        $is_seen = grep { $_->{Id} eq $number && ($_->{Info} // '') =~ /numbers a/ } @$seen;
    }
    change($watcher, "$statement $number");
    my $said = $json->decode(scalar <$reader>);
    waitpid($child, 0);
    return $said;
}

my %parameter = (
    integer => sub { $_[0] + 0 }, float => sub { $_[0] + 0 }, double => sub { $_[0] + 0 },
    bytes => sub { pack('H*', $_[0]) },
);

my @steps = (
    [tls => sub { my $h = connect_to(); { rows => ask($h, 'select 1') } }],
    [plain => sub { my $h = connect_to(tls => 0); { rows => ask($h, 'select 1') } }],
    ['wrong-password' => sub { { error => failure(sub { connect_to(password => 'not it') }) } }],
    [database => sub { my $h = connect_to(); { value => ask($h, 'select database()')->[0][0] } }],
    [names => sub {
        my $handle = connect_to();
        my $statement = $handle->prepare($scenario->{names}{sql});
        $statement->execute;
        my @names = @{ $statement->{NAME} };
        return { columns => \@names, rows => texts($statement->fetchall_arrayref) };
    }],
    ['text-values' => sub { my $h = connect_to(); everything($h, 'where id < 4') }],
    ['binary-values' => sub { my $h = connect_to(prepared => 1); everything($h, 'where id < ?', 4) }],
    [many => sub {
        my $handle = connect_to();
        my $rows = ask($handle, 'select id, label from numbers order by id');
        my ($sum, $bytes) = (0, 0);
        for (@$rows) { my ($id, $label) = @$_; $sum += $id; utf8::encode($label); $bytes += length $label }
        return { count => scalar @$rows, sum => "$sum", bytes => $bytes, last => $rows->[-1] };
    }],
    [parameters => sub {
        my $handle = connect_to(prepared => 1);
        change($handle, 'delete from everything where id = 4');
        my $statement = $handle->prepare('insert into everything values (' . join(', ', map { '?' } @{ $scenario->{columns} }) . ')');
        my $at = 0;
        for my $column (@{ $scenario->{columns} }) {
            my $value = ($parameter{ $column->{kind} } // sub { "$_[0]" })->($scenario->{added}[$at++]);
            $statement->bind_param($at, $value, $column->{kind} eq 'bytes' ? DBI::SQL_BLOB() : ());
        }
        my $affected = $statement->execute + 0;
        return { affected => $affected, rows => everything($handle, 'where id = ?', 4)->{rows} };
    }],
    ['hostile-prepared' => sub { my $h = connect_to(prepared => 1); hostile($h) }],
    ['hostile-escaped' => sub { my $h = connect_to(several => 1); hostile($h) }],
    ['no-backslash' => sub { my $h = connect_to(several => 1); change($h, $scenario->{noBackslash}{sql}); hostile($h, @{ $scenario->{noBackslash}{texts} }) }],
    [charsets => sub { charsets() }],
    [latin1 => sub {
        my $handle = connect_to(charset => 'latin1');
        my $text = $scenario->{latin1};
        utf8::downgrade($text);
        change($handle, 'delete from hostile');
        change($handle, 'insert into hostile values (1, ?)', $text);
        my $other = connect_to();
        return { value => ask($handle, 'select text from hostile')->[0][0], seen => ask($other, 'select text from hostile')->[0][0] };
    }],
    [transaction => sub {
        my ($handle, $other) = (connect_to(), connect_to());
        my $count = sub { ask($_[0], 'select count(*) from moved')->[0][0] };
        change($handle, 'delete from moved');
        $handle->{AutoCommit} = 0;
        change($handle, 'insert into moved values (1)');
        my @seen = ($count->($handle), $count->($other));
        $handle->rollback;
        push @seen, $count->($handle);
        $handle->commit;
        change($handle, 'insert into moved values (2)');
        $handle->commit;
        push @seen, $count->($other);
        $handle->{AutoCommit} = 1;
        change($handle, 'insert into moved values (3)');
        return { values => [@seen, $count->($other)] };
    }],
    [several => sub {
        my $handle = connect_to(several => 1);
        my $statement = $handle->prepare($scenario->{several});
        $statement->execute;
        my @results;
        do {
            push @results, $statement->{NUM_OF_FIELDS} ? texts($statement->fetchall_arrayref) : $statement->rows + 0;
        } while ($statement->more_results);
        return { results => \@results };
    }],
    [errors => sub {
        my $handle = connect_to();
        my @errors = map { my $sql = $_->{sql}; failure(sub { change($handle, $sql) }) } @{ $scenario->{errors} };
        return { errors => \@errors, rows => ask($handle, 'select 1') };
    }],
    [affected => sub {
        my $handle = connect_to();
        change($handle, 'delete from moved');
        return { values => [map { change($handle, $_) } 'insert into moved values (1), (2), (3)',
            'update moved set id = id + 10 where id > 1', 'delete from moved where id = 1', 'delete from moved where id = 1'] };
    }],
    ['kill-query' => sub { my $said = killed('kill query'); { error => $said->{error}, rows => $said->{rows} } }],
    [kill => sub { my $said = killed('kill'); { isRefused => $said->{error} ? \1 : \0, isLost => $said->{isLost} } }],
    [metadata => sub {
        my $handle = connect_to();
        my $here = ask($handle, 'select database()')->[0][0];
        my $tables = $handle->table_info(undef, $here, '%', 'TABLE')->fetchall_arrayref({});
        my $columns = $handle->column_info(undef, $here, 'everything', '%')->fetchall_arrayref({});
        my $keys = $handle->primary_key_info(undef, $here, 'everything')->fetchall_arrayref({});
        return {
            databases => firsts($handle, 'show databases'),
            tables => [map { $_->{TABLE_NAME} } @$tables],
            columns => [map { [$_->{COLUMN_NAME}, $_->{TYPE_NAME}, $_->{IS_NULLABLE}] } @$columns],
            keys => [map { $_->{COLUMN_NAME} } @$keys],
        };
    }],
);

for (@steps) {
    my ($step, $work) = @$_;
    my $said = eval { $work->() } // { failed => "$@" };
    print $json->encode({ step => $step, %$said }), "\n";
}
