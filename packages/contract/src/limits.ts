/**
 * Numbers that both sides must agree on. Milliseconds, bytes, pixels or counts, as the name says. What many users of an
 * account make has a limit of each user as well, so that none of them takes the places of all.
 */
export const LIMITS = {
  selectRows: 1000,
  queryNameLength: 32,
  folderNameLength: 32,
  savedQueries: 1_000,
  queryFolders: 200,
  folderLevels: 8,
  /** How long deleted queries can be brought back, and how many of one user. */
  binDays: 30,
  binQueries: 1_000,
  /** Of a saved query, and of all of a user: the oldest without a name are removed first. */
  versions: 200,
  versionBytes: 4 * 1024 * 1024,
  userVersions: 10_000,
  userVersionBytes: 32 * 1024 * 1024,
  namedVersions: 30,
  versionNameLength: 64,
  /** Users and roles that a saved query or a folder is shared with. */
  queryShares: 50,
  /** Shared queries of others that one user has open as tabs. */
  openSharedQueries: 100,
  /** Of a text that several people write: changes sent and answered at once, changes kept for those who are behind. */
  liveChanges: 200,
  liveUpdates: 1_000,
  liveKept: 2_000,
  liveKeptBytes: 2 * 1024 * 1024,
  /** Who see each other in it. */
  livePeople: 50,
  /** Comments on lines: of a query, of all that one user wrote, and the characters of one and of what it quotes. */
  queryComments: 200,
  userComments: 5_000,
  queryCommentLength: 2_000,
  queryCommentQuote: 200,
  /** Snippets of one user, with the characters of a name and of a text. */
  snippets: 100,
  snippetNameLength: 32,
  snippetLength: 4_000,
  /** Users and roles that one search for somebody to share with answers. */
  sharePartners: 20,
  warehouseNameLength: 32,
  catalogNameLength: 64,
  databaseNameLength: 64,
  /** Of any name in a catalog that an engine made. */
  identifierLength: 256,
  catalogsPerAccount: 100,
  /** Each is a file that the account's engine keeps open. */
  internalCatalogsPerAccount: 20,
  catalogFieldLength: 2048,
  listedObjects: 100_000,
  columnsPerTable: 10_000,
  /** That a search shows at once. */
  foundNames: 50,
  /** Of a form that makes a table; a statement may have more. */
  columnsOfForm: 200,
  commentLength: 1024,
  /** Rows of a table that are shown as a sample. */
  sampleRows: 50,
  materializedViewsPerAccount: 1_000,
  materializedViewsPerUser: 200,
  /** Of what one materialized view was refreshed by, and of tasks that were submitted in an account. */
  taskRunsPerView: 100,
  taskRunsPerAccount: 1_000,
  taskRunDays: 30,
  /** Submitted tasks that have not ended, and those that run again and again. */
  tasksAtOnce: 100,
  tasksAtOncePerUser: 20,
  scheduledTasksPerAccount: 100,
  scheduledTasksPerUser: 20,
  /** Saved queries that run on a schedule: how many, what is kept of one, and the rows that its condition looks at. */
  schedulesPerAccount: 100,
  schedulesPerUser: 20,
  scheduleRuns: 100,
  scheduledTextLength: 100_000,
  cronLength: 120,
  timeZoneLength: 64,
  conditionRows: 1_000,
  quietMinutesMax: 7 * 24 * 60,
  /** Dashboards: how many, what is on one, the rows that a tile shows, and the runs of one that are kept or have not ended. */
  dashboardsPerAccount: 500,
  dashboardsPerUser: 50,
  dashboardNameLength: 64,
  dashboardRoles: 20,
  tilesPerDashboard: 40,
  tileTitleLength: 100,
  tileTextLength: 4_000,
  tileSqlLength: 20_000,
  dashboardLength: 200_000,
  dashboardColumns: 12,
  dashboardRows: 500,
  tileHeight: 24,
  tileRows: 10_000,
  tileCells: 100_000,
  tileCellLength: 256,
  dashboardRuns: 1_000,
  dashboardRunsAtOnce: 100,
  /** So old are rows at least that a viewer of a dashboard which runs as its owner can refresh. */
  dashboardViewerMinutes: 5,
  /** Links that show a dashboard to people without a sign-in. */
  embedsPerDashboard: 10,
  embedsPerAccount: 500,
  embedOrigins: 10,
  embedOriginLength: 256,
  pipesPerAccount: 100,
  pipesPerUser: 20,
  /** That one pipe has seen and keeps in mind. */
  filesPerPipe: 1_000_000,
  refreshSecondsMin: 60,
  warehousesPerAccount: 10,
  idleMinutesMin: 1,
  idleMinutesMax: 999_999,
  descriptionLength: 256,
  /** Of a request for an integration: its texts, and how many of an account may wait for an answer. */
  applicationNameLength: 128,
  requestTextLength: 2_000,
  openRequestsPerAccount: 20,
  /** Of alert rules: what waits to be delivered, and what one of them delivers before the rest is summed up. */
  alertRulesPerAccount: 20,
  alertRuleNameLength: 64,
  usersPerAlertRule: 10,
  webhookUrlLength: 2_048,
  waitingAlertsPerAccount: 1_000,
  alertsPerRuleAndHour: 60,
  accountNameLength: 64,
  roleNameLength: 64,
  /** Of any page of users, roles or grants. */
  pageSize: 100,
  rolesPerUser: 64,
  roleLevels: 16,
  rolesPerAccount: 5_000,
  usersPerAccount: 50_000,
  /** Objects on which one user or role was given privileges. */
  grantsPerGrantee: 100_000,
  accountsPerOrganisation: 100,
  firewallRulesPerAccount: 100,
  firewallRuleNameLength: 64,
  /** Characters of one list. */
  firewallAddressesLength: 999,
  /** How long a change of the firewall that cuts off its author holds unless it is confirmed. */
  firewallTrialMs: 60_000,
  budgetsPerAccount: 200,
  endpointsPerAccount: 5,
  /** INT-23 */
  iamRolesPerAccount: 20,
  roleArnLength: 2_048,
  keyNameLength: 64,
  /** A scramble of MySQL's protocol does not say which key it is of: all of a user are tried. */
  keysPerUser: 20,
  keysPerAccount: 1_000,
  /** How long the secret before a rotation can stay valid: 7 days. */
  keyOverlapHours: 168,
  unreadMessages: 100,
  trialDays: 30,
  trialUsd: 500,
  retentionDays: 15,
  /** A released account can be brought back by the operator for this long; then its data is deleted. */
  deletionDelayHours: 24,
  /** Longer cells travel as a prefix of this many characters, with their true length. */
  cellLength: 4096,
  /** Of one statement's result; book section 4 keeps results for 24 hours. */
  keptRows: 1_000_000,
  chartColumnLength: 256,
  chartSeries: 8,
  /** Of one result. */
  charts: 10,
  chartTop: 50,
  /** Of a pivot: columns whose values are names of rows, those whose values are heads, and values. */
  pivotRows: 4,
  pivotColumns: 2,
  pivotValues: 4,
  /** Columns that say which row is which when results are compared. */
  comparedKeys: 16,
  /** Of a text: parameters, their values together, the characters of one value and of all. */
  parameters: 50,
  parameterValues: 1_000,
  parameterOptions: 200,
  parameterLength: 4096,
  parametersLength: 8192,
  /** Of what is sent to the assistant, and of what is shown of its answer. */
  assistantLength: 16 * 1024,
  assistantAnswerLength: 32 * 1024,
  /** Of a preview, which runs while its statement is being written. */
  queryPreviewRows: 50,
  queryPreviewSeconds: 5,
  queryPreviewLength: 16 * 1024,
  /** Of a statement that is run in full for a download. Its bytes are those of one file. */
  exportRows: 1_000_000_000,
  keptBytes: 256 * 1024 * 1024,
  keptHours: 24,
  /** Of all kept results of an account together, with the files that were made of them. */
  keptBytesPerAccount: 2 * 1024 * 1024 * 1024,
  /** Of one value, in one answer. */
  cellPartLength: 1024 * 1024,
  /** Of what is written to see fewer rows of one result, and in how many of its columns. */
  filterLength: 256,
  filtersPerResult: 32,
  /** Of one file made for a download, and of all of an account that wait to be fetched. Counted within its quota. */
  exportBytes: 1024 * 1024 * 1024,
  exportBytesPerAccount: 1536 * 1024 * 1024,
  exportBytesPerUser: 1024 * 1024 * 1024,
  /** Of one file that is loaded, of all of an account that wait for that, and of a part in which one arrives. */
  uploadBytes: 10_000_000_000,
  uploadBytesPerAccount: 20_000_000_000,
  uploadBytesPerUser: 10_000_000_000,
  uploadPartBytes: 8 * 1024 * 1024,
  /** Of a CSV file, so much of its beginning is read to find its columns; the rest is checked when it is loaded. */
  sampleBytes: 8 * 1024 * 1024,
  uploadsPerAccount: 50,
  uploadsPerUser: 20,
  fileNameLength: 255,
  /** Of a file that the service fetches: its address, what is reserved where its size is not said, and how many at once. */
  fileAddressLength: 2_048,
  fetchedBytesOfUnknownSize: 1_000_000_000,
  fetchesPerAccount: 10,
  fetchesPerUser: 3,
  /** How long an uploaded file is kept that no task needs, and how long one that waits for its task. */
  uploadHours: 24,
  loadDays: 7,
  loadColumns: 4096,
  /** Columns of the key by which a file updates rows. */
  loadKeys: 16,
  /** Files that are chosen at once. */
  filesAtOnce: 100,
  /** Of one load: what could not be read is kept, to be shown. */
  rejectedRows: 1_000,
  previewRows: 20,
  loadTasksUnderWay: 20,
  loadTasksUnderWayPerUser: 8,
  statementsInFlightPerAccount: 1000,
  statementsInFlightPerUser: 250,
  /** Of a call with a text of SQL, or with the columns of a table. */
  bodyBytes: 4 * 1024 * 1024,
  /** Of any other call of somebody signed in. */
  smallBodyBytes: 128 * 1024,
  /** Of a call that needs no login: room for the longest error report in any language, and little more. */
  bodyBytesBeforeLogin: 32 * 1024,
  sqlLength: 1024 * 1024,
  /** Of a text in the list of the history, in characters; the whole is in the detail. */
  listedSqlLength: 2048,
  channelMessageBytes: 4 * 1024 * 1024,
  channelsPerUser: 32,
  channelsPerAccount: 2000,
  connectionsPerAccount: 500,
  connectionsPerUser: 100,
  requestIdLength: 64,
  /** A request is fresh for this long to either side of the server's clock. */
  requestAgeMs: 5 * 60_000,
  /** Keeps reports short enough to store. */
  errorReportLength: 8192,
} as const

/** What `sql_select_limit` offers beside none; the first is what it begins with. */
export const SELECT_LIMITS = [LIMITS.selectRows, 10_000, 100_000] as const
/** How "no limit" is written where a number is needed. */
export const NO_SELECT_LIMIT = '18446744073709551615'

/** CHANNEL: every wait of the realtime channel. */
export const CHANNEL_TIMES = {
  reconnectFirstMs: 1_000,
  reconnectMaxMs: 8_000,
  resendWithinMs: 10_000,
  silenceMs: 60_000,
  silenceCheckMs: 60_000,
  /** Looked at every five seconds. */
  keepAliveAfterMs: 25_000,
  keepAliveCheckMs: 5_000,
  heartbeatMs: 20_000,
} as const
export const QUERY_RETRIES = 3

/** Sizes of the shell. */
export const LAYOUT = {
  navHeightPx: 56,
  /** Pages that have a side panel. */
  sidePanelPx: 210,
  menuCollapsedPx: 64,
  menuExpandedPx: 194,
  searchBoxPx: 520,
  subMenuDelayMs: 400,
  menuRelayoutDelayMs: 300,
} as const
