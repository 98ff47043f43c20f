import type { NameRules } from '../../engine/name-rules.ts'

const named = (why: string, functions: string): readonly (readonly [string, string])[] =>
  functions
    .trim()
    .split(/\s+/)
    .map((name) => [name, why] as const)

/**
 * Functions of extensions that no DuckDB here has are included. The guard refuses these too, with all others that it
 * does not allow; these are recognized by name, before anything starts.
 */
const REFUSED_CALLS: NameRules['refusedCalls'] = new Map([
  ...named(
    "it would reach outside this account's data",
    `read_blob read_csv read_csv_auto read_duckdb read_json read_json_auto read_json_objects read_json_objects_auto
    read_ndjson read_ndjson_auto read_ndjson_objects read_parquet read_text read_xlsx glob sniff_csv
    parquet_bloom_probe parquet_file_metadata parquet_full_metadata parquet_kv_metadata parquet_metadata parquet_scan
    parquet_schema arrow_scan arrow_scan_dumb iceberg_metadata iceberg_scan iceberg_snapshots delta_file_list delta_scan
    sqlite_attach sqlite_query sqlite_scan postgres_attach postgres_execute postgres_query postgres_scan
    postgres_scan_pushdown mysql_attach mysql_execute mysql_query mysql_scan st_read st_read_meta st_readosm st_readshp
    getenv which_secret load_aws_credentials`,
  ),
  ...named(
    'it would run or show unchecked SQL text',
    `query json_execute_serialized_sql json_serialize_plan from_substrait from_substrait_json get_substrait
    get_substrait_json`,
  ),
  ...named(
    'it would change how the engine works for everyone in the account',
    `checkpoint force_checkpoint write_log parse_duckdb_log_message enable_logging disable_logging enable_profiling
    disable_profiling enable_peg_parser disable_peg_parser check_peg_parser enable_object_cache disable_object_cache
    enable_progress_bar disable_progress_bar enable_verification disable_verification enable_optimizer
    disable_optimizer`,
  ),
])

export const DUCKDB_NAMES: NameRules = {
  refusedCalls: REFUSED_CALLS,
  refusedNames: [
    [
      /^(duckdb_(secrets|extensions|logs|log_contexts|temporary_files|memory)|pragma_(?!(?:table_info|show|version)$).*)$/i,
      'it would show the server, or data of everyone in the account',
    ],
    [/^boathouse_(internal|results)$/i, 'it belongs to the service'],
  ],
  drawingCalls: new Set(['nextval']),
}
