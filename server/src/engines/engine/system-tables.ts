/**
 * What the service shows of itself in a SELECT, as `sys.queries`. An engine has such tables with nothing in them; their
 * rows come with each statement that names one, and are those that its sender may see.
 */
export const SYSTEM_TABLES = {
  queries: {
    query_id: 'text',
    request_id: 'text',
    user_name: 'text',
    door: 'text',
    client_ip: 'text',
    warehouse: 'text',
    catalog: 'text',
    database: 'text',
    sql_text: 'text',
    kind: 'text',
    state: 'text',
    accepted_at: 'instant',
    started_at: 'instant',
    ended_at: 'instant',
    duration_ms: 'decimal',
    row_count: 'integer',
    bytes: 'integer',
    peak_memory_bytes: 'integer',
    peak_spill_bytes: 'integer',
    compile_ms: 'decimal',
    fetch_ms: 'decimal',
    cost_ccu: 'decimal',
    cost_usd: 'decimal',
    cost_is_final: 'boolean',
    error: 'text',
    program: 'text',
    key_name: 'text',
  },
  warehouses: {
    warehouse_id: 'text',
    name: 'text',
    size: 'text',
    state: 'text',
    running: 'integer',
    queued: 'integer',
    auto_suspend_minutes: 'integer',
    auto_resume: 'boolean',
    description: 'text',
  },
  warehouse_activity: {
    warehouse: 'text',
    action: 'text',
    detail: 'text',
    result: 'text',
    actor: 'text',
    at: 'instant',
  },
  usage: { warehouse: 'text', day: 'text', ccu: 'decimal', usd: 'decimal', idle_usd: 'decimal' },
  grants: {
    grantee_type: 'text',
    grantee: 'text',
    object_type: 'text',
    catalog: 'text',
    database: 'text',
    name: 'text',
    privilege: 'text',
    grantable: 'boolean',
    granted_at: 'instant',
  },
  audit: {
    number: 'integer',
    at: 'instant',
    user_name: 'text',
    client_ip: 'text',
    action: 'text',
    object_type: 'text',
    object_name: 'text',
    before: 'text',
    after: 'text',
    key_name: 'text',
  },
  processes: {
    id: 'integer',
    user: 'text',
    host: 'text',
    db: 'text',
    command: 'text',
    time: 'integer',
    state: 'text',
    info: 'text',
  },
  variables: { name: 'text', session_value: 'text', global_value: 'text' },
  roles: { user_name: 'text', role_name: 'text', is_default: 'boolean', enabled: 'boolean' },
  loads: {
    id: 'text',
    label: 'text',
    profile_id: 'text',
    db_name: 'text',
    table_name: 'text',
    user: 'text',
    warehouse: 'text',
    state: 'text',
    progress: 'text',
    type: 'text',
    priority: 'text',
    scan_rows: 'integer',
    scan_bytes: 'integer',
    filtered_rows: 'integer',
    unselected_rows: 'integer',
    sink_rows: 'integer',
    runtime_details: 'text',
    create_time: 'instant',
    load_start_time: 'instant',
    load_commit_time: 'instant',
    load_finish_time: 'instant',
    properties: 'text',
    error_msg: 'text',
    tracking_sql: 'text',
    rejected_record_path: 'text',
  },
  pipes: {
    database_name: 'text',
    pipe_id: 'text',
    pipe_name: 'text',
    properties: 'text',
    table_name: 'text',
    state: 'text',
    load_status: 'text',
    last_error: 'text',
    created_time: 'instant',
  },
  pipe_files: {
    database_name: 'text',
    pipe_id: 'text',
    pipe_name: 'text',
    file_name: 'text',
    file_version: 'text',
    file_rows: 'integer',
    file_size: 'integer',
    last_modified: 'instant',
    load_state: 'text',
    staged_time: 'instant',
    start_load_time: 'instant',
    finish_load_time: 'instant',
    error_msg: 'text',
  },
} as const satisfies Record<string, Record<string, SystemColumnType>>

export type SystemColumnType = 'text' | 'integer' | 'decimal' | 'boolean' | 'instant'
export type SystemTable = keyof typeof SYSTEM_TABLES

export const SYSTEM_DATABASE = 'sys'

export const isSystemTable = (name: string): name is SystemTable => Object.hasOwn(SYSTEM_TABLES, name)

/** Decimals and instants as text. */
type Cell<T extends SystemColumnType> = T extends 'integer' ? number : T extends 'boolean' ? boolean : string

export type SystemRow<T extends SystemTable> = {
  readonly [C in keyof (typeof SYSTEM_TABLES)[T]]: Cell<
    Extract<(typeof SYSTEM_TABLES)[T][C], SystemColumnType>
  > | null
}

/** By table, as JSON. */
export type SystemRows = Partial<Record<SystemTable, string>>
