const names = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/**
 * Functions that read files, the network, the environment or what the engine keeps for itself, or change how it works,
 * also those of extensions that no engine here has. The engine refuses them too, and all that nobody has opened; here
 * they are told by name, before anything starts. A name that merely looks like one of them is no reason.
 */
const FORBIDDEN_FUNCTIONS = names(`
  read_blob read_csv read_csv_auto read_duckdb read_json read_json_auto read_json_objects read_json_objects_auto
  read_ndjson read_ndjson_auto read_ndjson_objects read_parquet read_text read_xlsx glob sniff_csv
  parquet_bloom_probe parquet_file_metadata parquet_full_metadata parquet_kv_metadata parquet_metadata parquet_scan
  parquet_schema arrow_scan arrow_scan_dumb iceberg_metadata iceberg_scan iceberg_snapshots delta_file_list delta_scan
  sqlite_attach sqlite_query sqlite_scan postgres_attach postgres_execute postgres_query postgres_scan
  postgres_scan_pushdown mysql_attach mysql_execute mysql_query mysql_scan st_read st_read_meta st_readosm st_readshp
  getenv which_secret load_aws_credentials query json_execute_serialized_sql json_serialize_plan from_substrait
  from_substrait_json get_substrait get_substrait_json checkpoint force_checkpoint write_log parse_duckdb_log_message
  enable_logging disable_logging enable_profiling disable_profiling enable_peg_parser disable_peg_parser
  check_peg_parser enable_object_cache disable_object_cache enable_progress_bar disable_progress_bar
  enable_verification disable_verification enable_optimizer disable_optimizer`)

/** Views and schemas of the engine and of the service that show more than the account's data, however they are used. */
const FORBIDDEN_NAMES =
  /^(duckdb_(secrets|extensions|logs|log_contexts|temporary_files|memory)|pragma_(?!(?:table_info|show|version)$).*|boathouse_(internal|results))$/i

export const reachesOutside = (name: string, isCalled: boolean): boolean =>
  FORBIDDEN_NAMES.test(name) || (isCalled && FORBIDDEN_FUNCTIONS.has(name.toLowerCase()))
