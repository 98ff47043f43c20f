// Made from the migrated database, never by hand: UPDATE_SCHEMA=1 npx vitest run server/src/store/schema.test.ts
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

export interface Schema {
  accounts: AccountsTable
  address_changes: AddressChangesTable
  alert_deliveries: AlertDeliveriesTable
  alert_events: AlertEventsTable
  alert_rules: AlertRulesTable
  api_keys: ApiKeysTable
  attempts: AttemptsTable
  audit_chains: AuditChainsTable
  audit_entries: AuditEntriesTable
  billing_periods: BillingPeriodsTable
  budgets: BudgetsTable
  card_setups: CardSetupsTable
  catalog_changes: CatalogChangesTable
  ccu_entries: CcuEntriesTable
  channel_events: ChannelEventsTable
  client_errors: ClientErrorsTable
  connections: ConnectionsTable
  dashboard_embeds: DashboardEmbedsTable
  dashboard_runs: DashboardRunsTable
  dashboards: DashboardsTable
  deleted_accounts: DeletedAccountsTable
  discounts: DiscountsTable
  downloads: DownloadsTable
  editor_comments: EditorCommentsTable
  editor_folders: EditorFoldersTable
  editor_shared_tabs: EditorSharedTabsTable
  editor_shares: EditorSharesTable
  editor_snippets: EditorSnippetsTable
  editor_tabs: EditorTabsTable
  editor_updates: EditorUpdatesTable
  editor_versions: EditorVersionsTable
  embedding_accounts: EmbeddingAccountsTable
  engine_users: EngineUsersTable
  external_catalogs: ExternalCatalogsTable
  firewall_rules: FirewallRulesTable
  firewall_trials: FirewallTrialsTable
  grant_sources: GrantSourcesTable
  grants: GrantsTable
  iam_external_ids: IamExternalIdsTable
  iam_roles: IamRolesTable
  identity_versions: IdentityVersionsTable
  instance_facts: InstanceFactsTable
  integration_requests: IntegrationRequestsTable
  internal_catalogs: InternalCatalogsTable
  invoice_line_hours: InvoiceLineHoursTable
  invoice_lines: InvoiceLinesTable
  invoices: InvoicesTable
  kept_bytes: KeptBytesTable
  lake_writes: LakeWritesTable
  links: LinksTable
  load_parts: LoadPartsTable
  load_rejections: LoadRejectionsTable
  load_tasks: LoadTasksTable
  local_payments: LocalPaymentsTable
  logins: LoginsTable
  mails: MailsTable
  marketplace_records: MarketplaceRecordsTable
  marketplace_subscriptions: MarketplaceSubscriptionsTable
  materialized_views: MaterializedViewsTable
  messages: MessagesTable
  organisations: OrganisationsTable
  password_reset_requests: PasswordResetRequestsTable
  payment_cards: PaymentCardsTable
  payment_customers: PaymentCustomersTable
  payment_events: PaymentEventsTable
  payment_intents: PaymentIntentsTable
  pipe_files: PipeFilesTable
  pipes: PipesTable
  query_schedule_runs: QueryScheduleRunsTable
  query_schedules: QuerySchedulesTable
  regional_accounts: RegionalAccountsTable
  replaced_cards: ReplacedCardsTable
  request_nonces: RequestNoncesTable
  role_roles: RoleRolesTable
  roles: RolesTable
  scheduled_tasks: ScheduledTasksTable
  shared_result_uses: SharedResultUsesTable
  shared_results: SharedResultsTable
  sign_ins: SignInsTable
  sign_ups: SignUpsTable
  sso_bindings: SsoBindingsTable
  sso_confirmations: SsoConfirmationsTable
  sso_requests: SsoRequestsTable
  sso_settings: SsoSettingsTable
  statement_journal: StatementJournalTable
  statement_months: StatementMonthsTable
  statement_usage: StatementUsageTable
  statements: StatementsTable
  storage_usage: StorageUsageTable
  table_facts: TableFactsTable
  table_measures: TableMeasuresTable
  table_uses: TableUsesTable
  task_runs: TaskRunsTable
  trials: TrialsTable
  upload_parts: UploadPartsTable
  uploads: UploadsTable
  user_roles: UserRolesTable
  users: UsersTable
  view_owners: ViewOwnersTable
  vpc_endpoints: VpcEndpointsTable
  warehouse_activity: WarehouseActivityTable
  warehouse_runs: WarehouseRunsTable
  warehouse_usage: WarehouseUsageTable
  warehouses: WarehousesTable
}

export interface AccountsTable {
  account_id: string
  organisation_id: string
  name: string
  csp: string
  region: string
  edition: string
  state: number
  shell_state: number
  creator: string
  created_at: Date
  creator_id: string | null
  set_up: Generated<string>
  wants_samples: Generated<boolean>
  frozen_at: Date | null
  freeze_reason: string | null
  delete_at: Date | null
  deleting_since: Date | null
  purge_began_at: Date | null
  created_by: string | null
  created_by_id: string | null
  held_elsewhere: Generated<boolean>
  engines: Generated<string>
}

export interface AddressChangesTable {
  user_id: string
  email: string
  asked_at: Date
}

export interface AlertDeliveriesTable {
  delivery_id: string
  rule_id: string
  account_id: string
  event: string
  body: string
  state: string
  attempts: Generated<number>
  mailed_to: number
  next_attempt_at: Date
  created_at: Date
  ended_at: Date | null
  status: number | null
  answer: Generated<string>
  error: Generated<string>
  run_id: string | null
}

export interface AlertEventsTable {
  event_id: GeneratedAlways<number>
  account_id: string
  event: string
  warehouse_id: string | null
  user_id: string | null
  facts: ColumnType<unknown, string, string>
  occurred_at: Date
  schedule_id: string | null
}

export interface AlertRulesTable {
  rule_id: string
  account_id: string
  name: string
  event: string
  warehouse_id: string | null
  of_user_id: string | null
  user_ids: string[]
  url: string | null
  secret: string | null
  enabled: boolean
  created_at: Date
  created_by: string
  hour_started_at: Date
  hour_count: Generated<number>
  merged_count: Generated<number>
  schedule_id: string | null
}

export interface ApiKeysTable {
  key_id: string
  account_id: string
  user_id: string
  name: string
  roles: string[] | null
  doors: string[]
  addresses: string
  expires_at: Date | null
  secret_hash: Buffer
  former_hash: Buffer | null
  former_until: Date | null
  created_at: Date
  created_by: string
  rotated_at: Date | null
  last_used_at: Date | null
  last_used_ip: string | null
  last_used_door: string | null
  last_used_program: string | null
}

export interface AttemptsTable {
  key_hash: Buffer
  made: number
  next_at: Date
  forget_at: Date
  known_until: Date | null
}

export interface AuditChainsTable {
  account_id: string
  entries: number
  head: string
}

export interface AuditEntriesTable {
  account_id: string
  number: number
  entry: string
  at: Generated<string>
  author: Generated<string>
  action: Generated<string>
  object_id: Generated<string>
  object_type: Generated<string>
}

export interface BillingPeriodsTable {
  organisation_id: string
  billed_until: string
}

export interface BudgetsTable {
  budget_id: string
  organisation_id: string
  owner_account_id: string
  account_id: string | null
  warehouse_id: string | null
  micro_usd: number
  warn_percent: number
  action: string
  created_at: Date
  warned_month: string | null
  reached_month: string | null
}

export interface CardSetupsTable {
  setup_id: string
  organisation_id: string
  setup_ref: string
  secret_hash: Buffer
  state: string
  created_at: Date
  ended_at: Date | null
  provider: string
}

export interface CatalogChangesTable {
  change_id: string
  account_id: string
  begun_at: Date
  told: ColumnType<unknown, string, string>
  engine: string | null
}

export interface CcuEntriesTable {
  entry_id: string
  organisation_id: string
  ccu_seconds: number
  invoice_id: string | null
  at: Date
}

export interface ChannelEventsTable {
  seq: GeneratedAlways<number>
  account_id: string
  user_id: string | null
  type: string
  data: ColumnType<unknown, string, string>
  at: Date
}

export interface ClientErrorsTable {
  client_error_id: GeneratedAlways<number>
  account_id: string | null
  user_name: string | null
  message: string
  created_at: Date
}

export interface ConnectionsTable {
  connection_id: Generated<number>
  account_id: string
  user_id: string
  client_id: string
  catalog_id: string
  database_name: string | null
  variables: ColumnType<unknown, string | undefined, string>
  created_at: Date
  last_used_at: Date
  closed_at: Date | null
  time_zone: Generated<string>
  in_transaction: Generated<boolean>
  has_temporary: Generated<boolean>
  warehouse_id: string | null
}

export interface DashboardEmbedsTable {
  embed_id: string
  dashboard_id: string
  account_id: string
  key_hash: Buffer
  origins: Generated<string[]>
  expires_at: Date | null
  created_at: Date
  last_used_at: Date | null
}

export interface DashboardRunsTable {
  run_id: string
  dashboard_id: string
  tile_id: string
  account_id: string
  user_id: string
  runs_as_owner: boolean
  digest: string
  sql: string
  bound_values: string | null
  catalog: string
  database_name: string | null
  warehouse_id: string | null
  state: string
  query_id: string | null
  error: Generated<string>
  created_at: Date
  ended_at: Date | null
  begun_by: string | null
}

export interface DashboardsTable {
  dashboard_id: string
  account_id: string
  user_id: string
  name: string
  viewers: Generated<string>
  roles: Generated<string[]>
  runs_as: Generated<string>
  cron: string | null
  time_zone: string | null
  next_run_at: Date | null
  revision: Generated<number>
  tiles: ColumnType<unknown, string | undefined, string>
  tile_count: Generated<number>
  parameters: ColumnType<unknown, string | undefined, string>
  created_at: Date
  updated_at: Date
}

export interface DeletedAccountsTable {
  account_id: string
  organisation_id: string
  name: string
  csp: string
  region: string
  edition: string
  creator: string
  created_at: Date
  deleted_at: Date
}

export interface DiscountsTable {
  discount_id: string
  organisation_id: string
  basis_points: number
  from_month: string
  until_month: string | null
  set_at: Date
}

export interface DownloadsTable {
  code_hash: Buffer
  account_id: string
  user_id: string
  query_id: string
  format: string
  file: string
  file_name: string
  expires_at: Date
  bytes: Generated<number>
  made_at: Date | null
  taken_at: Date | null
}

export interface EditorCommentsTable {
  comment_id: string
  tab_id: string
  reply_to: string | null
  user_id: string | null
  line: number
  quote: string
  text: string
  resolved: Generated<boolean>
  created_at: Date
}

export interface EditorFoldersTable {
  folder_id: string
  account_id: string
  user_id: string
  parent_id: string | null
  name: string
  created_at: Date
}

export interface EditorSharedTabsTable {
  user_id: string
  tab_id: string
  hidden: Generated<boolean>
  active: Generated<boolean>
  position: number
  closed_at: Date | null
}

export interface EditorSharesTable {
  share_id: string
  account_id: string
  tab_id: string | null
  folder_id: string | null
  user_id: string | null
  made_role: string | null
  built_in_role: string | null
  level: number
  created_at: Date
}

export interface EditorSnippetsTable {
  snippet_id: string
  user_id: string
  name: string
  text: string
}

export interface EditorTabsTable {
  tab_id: string
  account_id: string
  user_id: string
  folder_id: string | null
  name: string
  catalog_id: string | null
  database_name: string | null
  warehouse_id: string | null
  sql: Generated<string>
  revision: Generated<number>
  hidden: Generated<boolean>
  active: Generated<boolean>
  position: number
  created_at: Date
  updated_at: Date
  sample: Generated<boolean>
  closed_at: Date | null
  deleted_at: Date | null
  chart: ColumnType<unknown, string | null | undefined, string | null>
  parameters: ColumnType<unknown, string | null | undefined, string | null>
  changed_by_others: Generated<boolean>
}

export interface EditorUpdatesTable {
  tab_id: string
  revision: number
  client_id: string
  changes: string
  bytes: number
}

export interface EditorVersionsTable {
  version_id: string
  tab_id: string
  user_id: string
  revision: number
  sql: string
  name: string | null
  begun_at: Date
  saved_at: Date
  ran_at: Date | null
  place: GeneratedAlways<number>
  others: Generated<string[]>
}

export interface EmbeddingAccountsTable {
  account_id: string
  allowed_at: Date
}

export interface EngineUsersTable {
  account_id: string
  os_user: number
}

export interface ExternalCatalogsTable {
  catalog_id: string
  account_id: string
  name: string
  description: string
  metastore: string
  settings: ColumnType<unknown, string, string>
  secrets: string
  created_by: string
  created_at: Date
}

export interface FirewallRulesTable {
  rule_id: string
  account_id: string
  name: string
  type: string
  addresses: string
  enabled: boolean
  created_at: Date
}

export interface FirewallTrialsTable {
  account_id: string
  rule_id: string
  rule_name: string
  before: ColumnType<unknown, string | null | undefined, string | null>
  user_name: string
  client_ip: string
  ends_at: Date
}

export interface GrantSourcesTable {
  source_id: GeneratedAlways<number>
  grant_id: number
  account_id: string
  grantor_id: string | null
  privileges: string[]
  grantable: string[]
}

export interface GrantsTable {
  grant_id: GeneratedAlways<number>
  account_id: string
  user_id: string | null
  role: string | null
  object_type: string
  catalog_id: string
  database: string
  name: string
  privileges: string[]
  grantable: string[]
  granted_by: string
  granted_at: Date
  is_creator: Generated<boolean>
}

export interface IamExternalIdsTable {
  account_id: string
  external_id: string
}

export interface IamRolesTable {
  account_id: string
  role_arn: string
  created_at: Date
  created_by: string
}

export interface IdentityVersionsTable {
  account_id: string
  version: number
}

export interface InstanceFactsTable {
  key: string
  value: ColumnType<unknown, string, string>
}

export interface IntegrationRequestsTable {
  request_id: GeneratedAlways<number>
  account_id: string
  user_id: string | null
  user_name: string
  application_name: string
  use_case: string
  link: string
  created_at: Date
  answer: string | null
  answered_at: Date | null
}

export interface InternalCatalogsTable {
  catalog_id: string
  account_id: string
  name: string
  description: string
  created_by: string
  created_at: Date
  opened_at: Date | null
}

export interface InvoiceLineHoursTable {
  line_id: string
  hour: Date
  region: string
  seconds: Generated<number>
  bytes: Generated<number>
  storage_units: Generated<number>
}

export interface InvoiceLinesTable {
  line_id: string
  organisation_id: string
  invoice_id: string | null
  used_by: string
  used_by_name: string
  warehouse_id: string | null
  warehouse_name: string
  month: string
  size: string
  edition: string
  usd_per_ccu: string
  in_trial: boolean
  seconds: number
  ccu_seconds: number
  balance_ccu_seconds: Generated<number>
  byte_hours: Generated<string>
  usd_per_gb_month: string | null
  storage_units: Generated<string>
  discount_basis_points: Generated<number>
  discount_units: Generated<string>
}

export interface InvoicesTable {
  invoice_id: string
  organisation_id: string
  organisation_name: string
  number: string
  month: string
  closed_at: Date
  state: string
  usage_units: string
  credit_units: string
  carried_in_units: string
  carried_out_units: string
  ccu_seconds: number
  due_cents: number
  attempts: Generated<number>
  declines: Generated<number>
  next_attempt_at: Date | null
  problem: string | null
  charge_ref: string | null
  card_ref: string | null
  card_brand: string | null
  card_last_digits: string | null
  paid_at: Date | null
  provider: string | null
  discount_units: Generated<string>
}

export interface KeptBytesTable {
  account_id: string
  user_id: string
  kind: string
  part: Generated<string>
  bytes: number
}

export interface LakeWritesTable {
  query_id: string
  account_id: string
  warehouse_id: string
  remote_id: string
  database: string
  name: string | null
  leaves_snapshot: boolean
  metadata_before: string | null
  begun_at: Generated<Date>
}

export interface LinksTable {
  token_hash: Buffer
  purpose: string
  subject: string
  account_id: string | null
  created_at: Date
  expires_at: Date
  used_at: Date | null
}

export interface LoadPartsTable {
  file: string
  task_id: string
  account_id: string
  user_id: string
  place: number
  table_name: string
  part: ColumnType<unknown, string, string>
  size_bytes: number
  is_whole: Generated<boolean>
}

export interface LoadRejectionsTable {
  task_id: string
  place: number
  line: number | null
  column_name: string | null
  reason: string
  text: string | null
}

export interface LoadTasksTable {
  task_id: string
  account_id: string
  user_id: string
  user_name: string
  upload_id: string | null
  file_name: string
  size_bytes: number
  catalog_id: string
  database_name: string
  table_name: string
  makes_table: boolean
  warehouse_id: string
  warehouse_name: string
  reading: ColumnType<unknown, string, string>
  columns: ColumnType<unknown, string, string>
  most_rejected: number
  state: string
  wanted: string | null
  attempt: Generated<number>
  query_id: string | null
  rows_loaded: number | null
  rows_rejected: Generated<number>
  error: Generated<string>
  created_at: Date
  ended_at: Date | null
  label: string | null
  request_id: string | null
  transaction_id: number | null
  rows_total: number | null
  rows_unselected: number | null
  stage: string | null
  tables: string[] | null
  expires_at: Date | null
  idle_seconds: number | null
  active_at: Date | null
  prepared_at: Date | null
  widens: Generated<boolean>
  widened: ColumnType<unknown, string | null | undefined, string | null>
  nulled: ColumnType<unknown, string | null | undefined, string | null>
  writes: Generated<string>
  keys: ColumnType<unknown, string | null | undefined, string | null>
  is_of_one_table: Generated<boolean>
}

export interface LocalPaymentsTable {
  object_id: string
  data: ColumnType<unknown, string, string>
  changed_at: Date
}

export interface LoginsTable {
  token_hash: Buffer
  user_id: string
  account_id: string
  created_at: Date
  last_used_at: Date
  expires_at: Date
  client_ip: string | null
  method: Generated<string>
  user_agent: Generated<string>
}

export interface MailsTable {
  mail_id: string
  account_id: string | null
  recipient: string
  kind: string
  details: string | null
  state: string
  attempts: Generated<number>
  next_attempt_at: Date
  created_at: Date
  ended_at: Date | null
  error: string | null
}

export interface MarketplaceRecordsTable {
  record_id: string
  organisation_id: string
  marketplace: string
  customer: string
  product: string
  dimension: string
  hour: Date
  quantity: number
  state: string
  attempts: Generated<number>
  is_unsure: Generated<boolean>
  next_attempt_at: Date | null
  receipt: string | null
  problem: string | null
}

export interface MarketplaceSubscriptionsTable {
  organisation_id: string
  marketplace: string
  customer: string
  product: string
  began_at: Date
  metered_units: Generated<string>
}

export interface MaterializedViewsTable {
  view_id: string
  account_id: string
  catalog_id: string
  database: string
  name: string
  state: string
  owner_id: string
  query: string
  home_catalog_id: string
  home_database: string | null
  comment: string
  warehouse_id: string | null
  trigger: string
  every_count: number | null
  every_unit: string | null
  starts_at: Date
  paused: boolean
  deferred: boolean
  sources: ColumnType<unknown, string, string>
  refreshed_at: Date | null
  changed_at: Date | null
  being_written: boolean
  next_refresh_at: Date | null
  failures: number
  created_at: Date
  renaming_to: string | null
  bound: ColumnType<unknown, string | null | undefined, string | null>
}

export interface MessagesTable {
  message_id: string
  account_id: string
  user_id: string
  type: number
  created_at: Date
  read_at: Date | null
  about: Generated<string>
}

export interface OrganisationsTable {
  organisation_id: string
  name: string
  identity: number
  source: number
  root_account_id: string | null
  created_at: Date
  held_by_central: Generated<boolean>
}

export interface PasswordResetRequestsTable {
  request_id: string
  account_id: string
  email: string
  created_at: Date
}

export interface PaymentCardsTable {
  organisation_id: string
  card_ref: string
  brand: string
  last_digits: string
  expires: string
  bound_at: Date
  provider: string
}

export interface PaymentCustomersTable {
  organisation_id: string
  provider: string
  customer_ref: string
  created_at: Date
}

export interface PaymentEventsTable {
  event_id: string
  received_at: Date
}

export interface PaymentIntentsTable {
  charge_key: string
  intent_ref: string
  created_at: Date
}

export interface PipeFilesTable {
  file_id: string
  pipe_id: string
  path: string
  version: string
  size_bytes: number
  changed_at: Date
  state: string
  label: string
  content_hash: string | null
  is_forced: boolean
  attempts: number
  retry_at: Date
  error: string
  rows_loaded: number | null
  rows_rejected: number
  query_id: string | null
  seen_at: Date
  started_at: Date | null
  ended_at: Date | null
}

export interface PipesTable {
  pipe_id: string
  account_id: string
  catalog_id: string
  database_name: string
  name: string
  user_id: string
  user_name: string
  table_catalog_id: string
  table_database: string
  table_name: string
  statement: string
  source: ColumnType<unknown, string, string>
  properties: ColumnType<unknown, string, string>
  state: string
  reason: string
  last_error: string
  next_poll_at: Date
  listed_at: Date | null
  lease_owner: string | null
  lease_until: Date | null
  created_at: Date
}

export interface QueryScheduleRunsTable {
  run_id: string
  schedule_id: string
  account_id: string
  user_id: string
  due_at: Date | null
  sql: string
  bound_values: string | null
  catalog: string
  database_name: string | null
  warehouse_id: string | null
  state: string
  query_id: string | null
  row_count: number | null
  error: Generated<string>
  met: boolean | null
  notified: Generated<boolean>
  created_at: Date
  ended_at: Date | null
}

export interface QuerySchedulesTable {
  schedule_id: string
  account_id: string
  user_id: string
  tab_id: string
  cron: string
  time_zone: string
  warehouse_id: string | null
  paused: Generated<boolean>
  next_run_at: Date
  created_at: Date
  condition: ColumnType<unknown, string | null | undefined, string | null>
  quiet_minutes: Generated<number>
  notified_at: Date | null
  failure_notified_at: Date | null
  fingerprint: string | null
}

export interface RegionalAccountsTable {
  account_id: string
  admin_email: string
  invited_by: string
  agreed_state: number | null
  agreed_shell_state: number | null
  agreed_edition: string | null
  asked_at: Date | null
}

export interface ReplacedCardsTable {
  provider: string
  card_ref: string
  replaced_at: Date
}

export interface RequestNoncesTable {
  nonce_hash: Buffer
  expires_at: Date
}

export interface RoleRolesTable {
  account_id: string
  role: string
  granted: string
  granted_by: string
  granted_at: Date
}

export interface RolesTable {
  account_id: string
  name: string
  comment: string
  created_by: string
  created_at: Date
}

export interface ScheduledTasksTable {
  task_id: string
  account_id: string
  name: string
  user_id: string
  catalog: string
  database: string | null
  warehouse_id: string | null
  definition: string
  every_count: number
  every_unit: string
  starts_at: Date
  paused: boolean
  next_run_at: Date
  created_at: Date
  bound: ColumnType<unknown, string | null | undefined, string | null>
}

export interface SharedResultUsesTable {
  query_id: string
  user_id: string
  shared_at: Date
}

export interface SharedResultsTable {
  query_id: string
  account_id: string
  shared_at: Date
  needed: ColumnType<unknown, string, string>
}

export interface SignInsTable {
  sign_in_id: GeneratedAlways<number>
  account_id: string
  bucket: string
  at: Date
  last_at: Date
  count: Generated<number>
  user_id: string | null
  user_name: string | null
  method: string | null
  outcome: string
  client_ip: string | null
  user_agent: Generated<string>
  told: Generated<boolean>
  door: Generated<string>
  key_name: string | null
  private_endpoint: string | null
}

export interface SignUpsTable {
  sign_up_id: string
  email: string
  first_name: string
  last_name: string
  company: string
  country: string
  password_hash: string
  marketplace_customer: string | null
  created_at: Date
  account_id: string | null
  marketplace: string | null
  marketplace_product: string | null
}

export interface SsoBindingsTable {
  user_id: string
  account_id: string
  issuer: string
  subject: string
  bound_at: Date
}

export interface SsoConfirmationsTable {
  confirmation_id: string
  secret_hash: Buffer
  account_id: string
  user_id: string
  issuer: string
  client_id: string
  subject: string
  expires_at: Date
}

export interface SsoRequestsTable {
  secret_hash: Buffer
  account_id: string
  state: string
  nonce: string
  code_verifier: string
  expires_at: Date
  user_id: string | null
}

export interface SsoSettingsTable {
  account_id: string
  issuer: string
  client_id: string
  client_secret: string
  enabled: boolean
  updated_at: Date
}

export interface StatementJournalTable {
  query_id: string
  account_id: string
  catalog_id: string
  accepted: string
}

export interface StatementMonthsTable {
  name: string
  since: Date
  until: Date
}

export interface StatementUsageTable {
  query_id: string
  account_id: string
  warehouse_id: string
  hour: Date
  size: string
  edition: string
  region: string
  usd_per_ccu: string
  micros: number
}

export interface StatementsTable {
  query_id: string
  account_id: string
  user_id: string
  connection_id: number | null
  request_id: string
  statement_index: number
  statement_count: number
  door: string
  client_ip: string | null
  warehouse: string | null
  catalog: string | null
  database_name: string | null
  sql: string
  kind: string
  state: string
  accepted_at: Date
  started_at: Date | null
  ended_at: Date | null
  row_count: number | null
  error: ColumnType<unknown, string | null | undefined, string | null>
  user_name: Generated<string>
  visible: Generated<boolean>
  writes: Generated<boolean>
  effect: string | null
  queued_at: Date | null
  peak_memory_bytes: number | null
  profile: ColumnType<unknown, string | null | undefined, string | null>
  result_state: Generated<string>
  result_rows: number | null
  result_bytes: number | null
  result_complete: boolean | null
  result_columns: ColumnType<unknown, string | null | undefined, string | null>
  result_expires_at: Date | null
  shown_bytes: number | null
  needed: ColumnType<unknown, string | null | undefined, string | null>
  warehouse_id: string | null
  engine: string | null
  compile_us: number | null
  fetch_us: number | null
  peak_spill_bytes: number | null
  plan: string | null
  catalog_id: string | null
  sql_bytes: number | null
  sql_hash: Buffer | null
  duration_us: number | null
  program: string | null
  key_name: string | null
  private_endpoint: string | null
  bound_values: string | null
}

export interface StorageUsageTable {
  account_id: string
  hour: Date
  bytes: number
  edition: string
  region: string
  usd_per_gb_month: string
  is_billed: Generated<boolean>
  units: number
}

export interface TableFactsTable {
  account_id: string
  catalog_id: string
  database: string
  name: string
  created_at: Date | null
  created_by: string | null
  changed_at: Date | null
  changed_by: string | null
  is_due: Generated<boolean>
  measured_at: Date | null
}

export interface TableMeasuresTable {
  account_id: string
  catalog_id: string
  database: string
  name: string
  hour: Date
  row_count: number | null
  bytes: number | null
}

export interface TableUsesTable {
  account_id: string
  catalog_id: string
  database: string
  name: string
  day: string
  user_id: string
  digest: string
  writes: boolean
  uses: number
  query_id: string
  accepted_at: Date
}

export interface TaskRunsTable {
  run_id: string
  account_id: string
  view_id: string | null
  task_name: string
  user_id: string
  started_by: string | null
  reason: string
  catalog_id: string
  database: string | null
  warehouse_id: string | null
  definition: string
  state: string
  query_id: string | null
  row_count: number | null
  error: string
  created_at: Date
  ended_at: Date | null
  task_id: string | null
}

export interface TrialsTable {
  organisation_id: string
  started_at: Date
  ends_at: Date
  end_told_at: Date | null
  ended_at: Date | null
}

export interface UploadPartsTable {
  upload_id: string
  part: number
  received_at: Date
}

export interface UploadsTable {
  upload_id: string
  account_id: string
  user_id: string
  code_hash: Buffer
  name: string
  size_bytes: number
  part_bytes: number
  fingerprint: string
  inspection: ColumnType<unknown, string | null | undefined, string | null>
  created_at: Date
  expires_at: Date
}

export interface UserRolesTable {
  user_id: string
  role: string
  active: boolean
  granted_at: Date
}

export interface UsersTable {
  user_id: string
  account_id: string
  name: string
  email: string | null
  password_hash: string | null
  is_org_admin: boolean
  created_at: Date
  password_changed_at: Date
  native_credential: string | null
  is_service: Generated<boolean>
}

export interface ViewOwnersTable {
  account_id: string
  catalog_id: string
  database: string
  name: string
  user_id: string
  bound: ColumnType<unknown, string | null | undefined, string | null>
}

export interface VpcEndpointsTable {
  account_id: string
  endpoint_id: string
  aws_account_id: string
  region: string
  connection_type: string
  creator: string
  created_at: Date
  status: string
  reason: string | null
  decided_at: Date | null
  addresses: Generated<string>
  request_seen_at: Date | null
}

export interface WarehouseActivityTable {
  activity_id: GeneratedAlways<number>
  account_id: string
  warehouse_id: string
  warehouse_name: string
  action: string
  detail: string
  result: string
  actor: string
  at: Date
}

export interface WarehouseRunsTable {
  run_id: string
  account_id: string
  warehouse_id: string
  warehouse_name: string
  size: string
  started_at: Date
  metered_until: Date
  ended_at: Date | null
  end_reason: string | null
}

export interface WarehouseUsageTable {
  account_id: string
  warehouse_id: string
  hour: Date
  size: string
  seconds: number
  edition: string
  region: string
  usd_per_ccu: string
  busy_micros: Generated<number>
  billed_seconds: Generated<number>
}

export interface WarehousesTable {
  warehouse_id: string
  account_id: string
  name: string
  description: Generated<string>
  size: string
  auto_suspend_minutes: number | null
  auto_resume: boolean
  status: string
  created_by: string
  created_at: Date
  resumed_at: Date | null
  engine: string | null
}
