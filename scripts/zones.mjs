/**
 * Who may import whom. A zone is a folder; a file belongs to the longest one that holds it. Packages of the
 * workspace are named by their folder. Anything not listed is refused, so a new room must be drawn here first.
 */
export const ZONES = {
  'packages/contract/src': [],
  'packages/sql/src': [],
  'packages/client/src': ['packages/contract/src'],

  'server/src/kernel': ['packages/contract/src', 'packages/sql/src'],
  'server/src/store': ['server/src/kernel'],
  'server/src/engines': ['packages/sql/src', 'server/src/kernel', 'server/src/results'],
  'server/src/results': ['server/src/kernel', 'server/src/engines/engine'],
  'server/src/compute': ['packages/contract/src', 'server/src/kernel', 'server/src/engines'],
  'server/src/providers': ['packages/contract/src', 'server/src/kernel'],
  'server/src/modules': [
    'packages/contract/src',
    'packages/sql/src',
    'server/src/kernel',
    'server/src/store',
    'server/src/engines/engine',
    'server/src/providers/assistant/assistant.ts',
    'server/src/providers/bucket/bucket.ts',
    'server/src/providers/hive/hive-catalog.ts',
    'server/src/providers/hive/table-keeper.ts',
    'server/src/providers/iceberg/iceberg-catalog.ts',
    'server/src/providers/mail/mailer.ts',
    'server/src/providers/marketplace/marketplace.ts',
    'server/src/providers/payment/local-payments.ts',
    'server/src/providers/payment/payment-provider.ts',
    'server/src/providers/region/region-link.ts',
    'server/src/providers/private-link/private-link.ts',
    'server/src/providers/sso/issuer.ts',
    'server/src/providers/sts/roles.ts',
    'server/src/providers/web-file/web-files.ts',
    'server/src/providers/webhook/webhooks.ts',
    'server/src/results',
  ],
  'server/src/doors': [
    'packages/contract/src',
    'packages/sql/src',
    'server/src/kernel',
    'server/src/engines/engine',
    'server/src/modules',
    'server/src/store/schema.ts',
  ],
  'server/src/jobs': ['server/src/kernel', 'server/src/modules'],
  'server/src/testing': ['packages', 'server/src'],
  'server/src': ['packages/contract/src', 'packages/sql/src', 'server/src'],

  'console/src/lib': ['packages/contract/src', 'packages/sql/src', 'packages/client/src'],
  'console/src/ui': ['console/src/i18n'],
  'console/src/i18n': ['packages/contract/src'],
  'console/src/statement': [
    'packages/contract/src',
    'packages/sql/src',
    'console/src/lib',
    'console/src/ui',
    'console/src/i18n',
  ],
  'console/src/features': [
    'packages/contract/src',
    'packages/client/src',
    'packages/sql/src',
    'console/src/lib',
    'console/src/ui',
    'console/src/i18n',
    'console/src/statement',
  ],
  'console/src/app': [
    'packages/contract/src',
    'packages/client/src',
    'console/src/lib',
    'console/src/ui',
    'console/src/i18n',
    'console/src/features',
  ],
  'console/src/testing': ['packages', 'console/src'],
  'console/src': ['console/src'],

  'cli/src': [
    'packages/contract/src',
    'packages/client/src/public/index.ts',
    'packages/sql/src',
    'server/src/clusters-offered.ts',
    'server/src/config.ts',
    'server/src/extensions-directory.ts',
    'server/src/engines/duckdb/extensions/extension-names.ts',
    'server/src/engines/duckdb/extensions/wheel.ts',
    'server/src/running-server.ts',
    'server/src/operator-socket.ts',
    'server/src/sealing-keys.ts',
    'server/src/modules/audit/chain-check.ts',
  ],
  e2e: [
    'packages/contract/src',
    'packages/client/src',
    'console/src/i18n/en',
    'console/src/lib/format.ts',
    'server/src/testing/free-port.ts',
    'server/src/testing/open-issuer.ts',
    'server/src/testing/stripe-server.ts',
    'scripts/outcomes.mjs',
  ],
  bench: [
    'packages/contract/src',
    'packages/client/src',
    'packages/sql/src',
    'server/src/engines/duckdb/samples',
    // The time that the guard alone takes cannot be measured from outside.
    'server/src/engines/duckdb/account/account.ts',
    'server/src/engines/duckdb/guard/name-rules.ts',
    'server/src/engines/engine',
    'server/src/modules/query/analysis/analysed-text.ts',
    'server/src/modules/query/gate/gate.ts',
    'server/src/testing/free-port.ts',
    // One way to measure in a page, and one to find a browser.
    'e2e/click-to-paint.ts',
    'e2e/find-chromium.ts',
  ],
}

/** Folders whose children must not know one another. */
export const STRANGERS = ['console/src/features']

/** Libraries that stay behind one door. */
export const LIBRARIES = {
  fastify: ['server/src/doors/http'],
  ws: [
    'packages/client/src/example.ts',
    'packages/client/src/public/line.ts',
    'server/src/doors/realtime',
    'server/src/testing',
    'e2e',
    'bench',
  ],
  'openid-client': ['server/src/providers/sso'],
  nodemailer: ['server/src/providers/mail'],
  pdfkit: ['server/src/modules/payment/printing'],
  fontkit: ['server/src/modules/payment/printing'],
  'subset-font': ['server/src/modules/payment/printing'],
  'bidi-js': ['server/src/modules/payment/printing'],
  stripe: ['server/src/providers/payment'],
  '@modelcontextprotocol/': ['server/src/doors/mcp', 'server/src/testing'],
  pg: ['server/src/store', 'server/src/testing'],
  '@duckdb/node-api': ['server/src/engines', 'bench'],
  yazl: ['server/src/engines/duckdb/reader'],
  yauzl: ['server/src/engines/duckdb/files'],
  saxes: ['server/src/engines/duckdb/files/sheets'],
  react: ['console/src'],
}

/** Files that hold all of a package, and who must import its parts instead: a page is sent what it imports. */
export const PARTS_ONLY = {
  'packages/contract/src/index.ts': ['console/src', 'packages/client/src'],
  'packages/contract/src/contract.ts': ['console/src', 'packages/client/src'],
  'packages/client/src/public/index.ts': ['console/src'],
  'packages/client/src/public/api.ts': ['console/src'],
}

/** Below such a place, and still made of all of it: no page is sent the package that others install. */
export const TAKES_ALL = ['packages/client/src/public', 'packages/client/src/packing']

/**
 * What a module of the server offers to the other modules beside its `service.ts`. Everything else in it, its `store.ts`
 * above all, is its own affair. A store file that is offered takes part in a transaction of somebody else's.
 */
export const OFFERS = {
  access: ['account-access.ts', 'authority.ts', 'creator-grants.ts', 'readers.ts', 'view-owners.ts'],
  attempt: ['address-block.ts', 'rate-limit.ts'],
  audit: ['author.ts', 'newest.ts', 'record.ts', 'verify.ts'],
  budget: ['limits.ts'],
  editor: ['saved-queries-store.ts'],
  firewall: ['gate.ts'],
  mail: ['accepted-address.ts'],
  marketplace: ['subscription-store.ts'],
  org: [
    'life.ts',
    'money.ts',
    'move-account.ts',
    'open-account.ts',
    'regional-store.ts',
    'states.ts',
    'trials.ts',
  ],
  payment: ['owed.ts'],
  query: [
    'answers/answer.ts',
    'connections/origin.ts',
    'gate/authorize-statement.ts',
    'gate/bound-definitions.ts',
    'gate/gate.ts',
    'gate/seen-names.ts',
    'history/deletion-store.ts',
    'history/history.ts',
    'history/seen-by.ts',
    'history/series.ts',
    'requester.ts',
    'running/change-notes.ts',
    'running/ending.ts',
    'sessions/database-names.ts',
    'sessions/database-rules.ts',
    'sessions/named-place.ts',
    'sessions/own-rows.ts',
    'sessions/seen-tables.ts',
    'sessions/session-tools.ts',
    'sessions/session-variables.ts',
    'sessions/unreadable.ts',
  ],
  quota: ['room.ts'],
  storage: ['billed-storage-store.ts', 'handed-storage-store.ts', 'prices.ts'],
  samples: ['make-samples.ts', 'saved-queries.ts'],
  schema: [
    'catalogs/catalogs.ts',
    'catalogs/file-places.ts',
    'objects/existing.ts',
    'objects/looking.ts',
    'objects/objects.ts',
  ],
  key: ['sign-in.ts'],
  task: ['runs.ts'],
  user: [
    'actor-of.ts',
    'address-change.ts',
    'logins.ts',
    'password-rule.ts',
    'passwords.ts',
    'people-store.ts',
    'people-with-roles-store.ts',
    'plain-sign-in.ts',
    'proven-passwords.ts',
    'sign-ins.ts',
    'taken-name.ts',
  ],
  warehouse: [
    'billed-usage-store.ts',
    'first-warehouse-store.ts',
    'handed-usage-store.ts',
    'prices.ts',
    'statement-costs.ts',
  ],
}

/** Modules that others are built upon, each with those that it must not know: what both need is in the lower one. */
export const BELOW = {
  query: ['schema', 'access'],
}
