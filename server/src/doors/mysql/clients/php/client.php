<?php
// mysqli and PDO through the steps of the contract (see ../README.md): php client.php mysqli|pdo

$scenario = json_decode(file_get_contents(getenv('SCENARIO')), true);
$isPdo = $argv[1] === 'pdo';
// Floats as they are, not rounded to 14 digits.
ini_set('precision', -1);
mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);

/** What the steps need of either of them. */
interface Client
{
    public function ask(string $sql, ?array $values = null): array;
    public function change(string $sql, ?array $values = null): int;
    public function escaped(string $text): string;
    public function autocommit(bool $on): void;
    public function commit(): void;
    public function rollback(): void;
    public function several(string $sql): array;
    public function fields(string $sql): array;
}

class MysqliClient implements Client
{
    public mysqli $link;

    public function __construct(array $with)
    {
        $this->link = mysqli_init();
        $tls = $with['tls'] ?? true;
        $this->link->options(MYSQLI_OPT_INT_AND_FLOAT_NATIVE, true);
        $this->link->real_connect(
            getenv('MYSQL_HOST'), getenv('MYSQL_USER'), $with['password'] ?? getenv('MYSQL_PASSWORD'),
            getenv('MYSQL_DATABASE'), (int) getenv('MYSQL_PORT'), null,
            $tls ? MYSQLI_CLIENT_SSL | MYSQLI_CLIENT_SSL_DONT_VERIFY_SERVER_CERT : 0,
        );
        $this->link->set_charset($with['charset'] ?? 'utf8mb4');
    }

    private function run(string $sql, ?array $values): mysqli_result|bool
    {
        return $values === null ? $this->link->query($sql) : $this->bound($sql, $values)->get_result();
    }

    private function bound(string $sql, array $values): mysqli_stmt
    {
        $statement = $this->link->prepare($sql);
        $letter = fn($value) => is_int($value) ? 'i' : (is_float($value) ? 'd' : 's');
        $statement->bind_param(implode('', array_map($letter, $values)), ...$values);
        $statement->execute();
        return $statement;
    }

    public function ask(string $sql, ?array $values = null): array
    {
        return $this->run($sql, $values)->fetch_all(MYSQLI_NUM);
    }

    public function change(string $sql, ?array $values = null): int
    {
        if ($values !== null) return $this->bound($sql, $values)->affected_rows;
        $this->link->query($sql);
        return $this->link->affected_rows;
    }

    public function escaped(string $text): string
    {
        return "'" . $this->link->real_escape_string($text) . "'";
    }

    public function autocommit(bool $on): void { $this->link->autocommit($on); }
    public function commit(): void { $this->link->commit(); }
    public function rollback(): void { $this->link->rollback(); }

    public function several(string $sql): array
    {
        $this->link->multi_query($sql);
        $results = [];
        do {
            $result = $this->link->store_result();
            $results[] = $result ? texts($result->fetch_all(MYSQLI_NUM)) : $this->link->affected_rows;
        } while ($this->link->more_results() && $this->link->next_result());
        return $results;
    }

    public function fields(string $sql): array
    {
        return array_map(fn($field) => [$field->name, $field->type, ($field->flags & 1) === 0],
            $this->link->query($sql)->fetch_fields());
    }
}

class PdoClient implements Client
{
    private const TLS = [PDO::MYSQL_ATTR_SSL_CIPHER => 'DEFAULT', PDO::MYSQL_ATTR_SSL_VERIFY_SERVER_CERT => false];
    public PDO $link;

    public function __construct(array $with)
    {
        $place = sprintf('mysql:host=%s;port=%s;dbname=%s;charset=%s', getenv('MYSQL_HOST'), getenv('MYSQL_PORT'),
            getenv('MYSQL_DATABASE'), $with['charset'] ?? 'utf8mb4');
        $this->link = new PDO($place, getenv('MYSQL_USER'), $with['password'] ?? getenv('MYSQL_PASSWORD'), [
            PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION,
            PDO::ATTR_EMULATE_PREPARES => $with['emulated'] ?? false,
        ] + (($with['tls'] ?? true) ? self::TLS : []));
    }

    private function run(string $sql, ?array $values): PDOStatement
    {
        if ($values === null) return $this->link->query($sql);
        $statement = $this->link->prepare($sql);
        foreach ($values as $at => $value)
            $statement->bindValue($at + 1, $value, is_int($value) ? PDO::PARAM_INT : PDO::PARAM_STR);
        $statement->execute();
        return $statement;
    }

    public function ask(string $sql, ?array $values = null): array
    {
        return $this->run($sql, $values)->fetchAll(PDO::FETCH_NUM);
    }

    public function change(string $sql, ?array $values = null): int
    {
        return $this->run($sql, $values)->rowCount();
    }

    public function escaped(string $text): string { return $this->link->quote($text); }
    public function autocommit(bool $on): void { $this->link->setAttribute(PDO::ATTR_AUTOCOMMIT, $on); }
    public function commit(): void { $this->link->query('commit'); }
    public function rollback(): void { $this->link->query('rollback'); }

    public function several(string $sql): array
    {
        $this->link->setAttribute(PDO::ATTR_EMULATE_PREPARES, true);
        $statement = $this->link->query($sql);
        $results = [];
        do {
            $results[] = $statement->columnCount() > 0
                ? texts($statement->fetchAll(PDO::FETCH_NUM)) : $statement->rowCount();
        } while ($statement->nextRowset());
        return $results;
    }

    public function fields(string $sql): array
    {
        $statement = $this->link->query($sql);
        $about = array_map(fn($at) => $statement->getColumnMeta($at), range(0, $statement->columnCount() - 1));
        return array_map(fn($one) => [$one['name'], $one['native_type'], !in_array('not_null', $one['flags'])], $about);
    }
}

function connect(array $with = []): Client
{
    return $GLOBALS['isPdo'] ? new PdoClient($with) : new MysqliClient($with);
}

/** PHP has one kind of texts for all bytes: those that are no text are said by their digits. */
function said(mixed $value, bool $isBytes = false): ?array
{
    if ($value === null) return null;
    if ($isBytes) return ['string', bin2hex($value)];
    return [get_debug_type($value), is_float($value) ? json_encode($value) : (string) $value];
}

function texts(array $rows): array
{
    return array_map(fn($row) => array_map(fn($value) => $value === null ? null : (string) $value, $row), $rows);
}

function withKinds(array $rows): array
{
    $kinds = array_column($GLOBALS['scenario']['columns'], 'kind');
    return array_map(fn($row) => array_map(fn($value, $kind) => said($value, $kind === 'bytes'), $row, $kinds), $rows);
}

function failure(callable $work): ?array
{
    try {
        $work();
        return null;
    } catch (PDOException $error) {
        $info = $error->errorInfo ?? [null, $error->getCode()];
        return ['code' => $info[1], ...($info[0] ? ['state' => $info[0]] : [])];
    } catch (mysqli_sql_exception $error) {
        return ['code' => $error->getCode(), 'state' => $error->getSqlState()];
    }
}

function everything(Client $client, string $where, ?array $values = null): array
{
    return withKinds($client->ask("select * from everything $where order by id", $values));
}

function names(Client $client, string $sql): array
{
    return array_column($client->fields($sql), 0);
}

function hostile(bool $isEscaped, array $texts, array $with = [], ?string $first = null): array
{
    $client = connect(['emulated' => $isEscaped, ...$with]);
    if ($first !== null) $client->change($first);
    $client->change('delete from hostile');
    foreach ($texts as $at => $text)
        $isEscaped ? $client->change("insert into hostile values ($at, {$client->escaped($text)})")
            : $client->change('insert into hostile values (?, ?)', [$at, $text]);
    $found = array_map(fn($text) => count($isEscaped
        ? $client->ask("select text from hostile where text = {$client->escaped($text)}")
        : $client->ask('select text from hostile where text = ?', [$text])), $texts);
    return ['values' => array_column($client->ask('select text from hostile order by id'), 0), 'found' => $found];
}

/** PHP's texts are bytes: they are in the character set of the connection. */
function charsets(array $charsets): array
{
    $said = [];
    foreach ($charsets as ['name' => $name, 'bytes' => $bytes, 'texts' => $texts]) {
        $error = failure(function () use ($name, $bytes, $texts, &$said) {
            $sent = array_map('hex2bin', $bytes);
            $stored = hostile(true, $sent, ['charset' => $name]);
            $stored['values'] = array_map(fn($value) => $texts[array_search($value, $sent, true)], $stored['values']);
            $said[$name] = $stored;
        });
        if ($error) $said[$name] = ['error' => $error];
    }
    return $said;
}

/** Runs the long query in a process of its own; kills it as soon as it is seen to run. */
function killed(string $statement): array
{
    global $argv;
    $child = proc_open([PHP_BINARY, __FILE__, $argv[1], 'long'], [1 => ['pipe', 'w']], $pipes);
    $number = trim(fgets($pipes[1]));
    $watcher = connect();
    do {
        $seen = $watcher->ask('show full processlist');
        $columns = array_flip(names($watcher, 'show full processlist'));
        $isSeen = array_filter($seen, fn($row) => (string) $row[$columns['Id']] === $number
            && str_contains((string) $row[$columns['Info']], 'numbers a'));
    } while (!$isSeen);
    $watcher->change("$statement $number");
    $said = json_decode(stream_get_contents($pipes[1]), true);
    proc_close($child);
    return $said;
}

if (($argv[2] ?? '') === 'long') {
    $client = connect();
    echo $client->ask('select connection_id()')[0][0], "\n";
    $error = failure(fn() => $client->ask($scenario['long']));
    $after = null;
    $lost = failure(function () use ($client, &$after) { $after = texts($client->ask('select 1')); });
    echo json_encode(['error' => $error, 'rows' => $after, 'isLost' => $lost !== null]);
    exit;
}

$PARAMETERS = ['integer' => 'intval', 'float' => 'floatval', 'double' => 'floatval', 'bytes' => 'hex2bin'];

$steps = [
    'tls' => fn() => ['rows' => texts(connect()->ask('select 1'))],
    'plain' => fn() => ['rows' => texts(connect(['tls' => false])->ask('select 1'))],
    'wrong-password' => fn() => ['error' => failure(fn() => connect(['password' => 'not it']))],
    'database' => fn() => ['value' => connect()->ask('select database()')[0][0]],
    'names' => fn() => ['columns' => names(connect(), $scenario['names']['sql']),
        'rows' => texts(connect()->ask($scenario['names']['sql']))],
    'text-values' => fn() => ['columns' => names(connect(), 'select * from everything'),
        'rows' => everything(connect(['emulated' => true]), 'where id < 4')],
    'binary-values' => fn() => ['columns' => names(connect(), 'select * from everything'),
        'rows' => everything(connect(), 'where id < ?', [4])],
    'many' => function () {
        $rows = texts(connect()->ask('select id, label from numbers order by id'));
        return ['count' => count($rows), 'sum' => (string) array_sum(array_column($rows, 0)),
            'bytes' => array_sum(array_map('strlen', array_column($rows, 1))), 'last' => end($rows)];
    },
    'parameters' => function () use ($scenario, $PARAMETERS) {
        $client = connect();
        $client->change('delete from everything where id = 4');
        $values = array_map(fn($column, $text) => ($PARAMETERS[$column['kind']] ?? 'strval')($text),
            $scenario['columns'], $scenario['added']);
        $marks = implode(', ', array_fill(0, count($values), '?'));
        return ['affected' => $client->change("insert into everything values ($marks)", $values),
            'rows' => everything($client, 'where id = ?', [4])];
    },
    'hostile-prepared' => fn() => hostile(false, $scenario['hostile']),
    'hostile-escaped' => fn() => hostile(true, $scenario['hostile']),
    'no-backslash' => fn() => hostile(true, $scenario['noBackslash']['texts'], [], $scenario['noBackslash']['sql']),
    'charsets' => fn() => charsets($scenario['charsets']),
    'latin1' => function () use ($scenario) {
        $client = connect(['charset' => 'latin1']);
        $client->change('delete from hostile');
        $client->change('insert into hostile values (1, ?)', [iconv('UTF-8', 'ISO-8859-1', $scenario['latin1'])]);
        $read = 'select text from hostile';
        return ['value' => iconv('ISO-8859-1', 'UTF-8', $client->ask($read)[0][0]),
            'seen' => connect()->ask($read)[0][0]];
    },
    'transaction' => function () {
        $client = connect();
        $other = connect();
        $count = fn($of) => (string) $of->ask('select count(*) from moved')[0][0];
        $client->change('delete from moved');
        $client->autocommit(false);
        $client->change('insert into moved values (1)');
        $seen = [$count($client), $count($other)];
        $client->rollback();
        $seen[] = $count($client);
        $client->commit();
        $client->change('insert into moved values (2)');
        $client->commit();
        $seen[] = $count($other);
        $client->autocommit(true);
        $client->change('insert into moved values (3)');
        return ['values' => [...$seen, $count($other)]];
    },
    'several' => fn() => ['results' => connect()->several($scenario['several'])],
    'errors' => function () use ($scenario) {
        $client = connect();
        $errors = array_map(fn($one) => failure(fn() => $client->change($one['sql'])), $scenario['errors']);
        return ['errors' => $errors, 'rows' => texts($client->ask('select 1'))];
    },
    'affected' => function () {
        $client = connect();
        $client->change('delete from moved');
        return ['values' => array_map(fn($sql) => $client->change($sql), [
            'insert into moved values (1), (2), (3)', 'update moved set id = id + 10 where id > 1',
            'delete from moved where id = 1', 'delete from moved where id = 1'])];
    },
    'kill-query' => fn() => array_intersect_key(killed('kill query'), ['error' => 1, 'rows' => 1]),
    'kill' => function () {
        $said = killed('kill');
        return ['isRefused' => $said['error'] !== null, 'isLost' => $said['isLost']];
    },
    'metadata' => function () {
        $client = connect();
        $keys = array_filter($client->ask('show columns from everything'), fn($row) => $row[3] === 'PRI');
        return ['databases' => array_column($client->ask('show databases'), 0),
            'tables' => array_column($client->ask('show tables'), 0),
            'columns' => $client->fields('select * from everything where id = 0'),
            'keys' => array_column($keys, 0)];
    },
];

foreach ($steps as $step => $work) {
    try {
        $said = $work();
    } catch (Throwable $error) {
        $said = ['failed' => get_class($error) . ': ' . $error->getMessage()];
    }
    echo json_encode(['step' => $step, ...$said], JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR), "\n";
}
