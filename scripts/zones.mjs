/**
 * Who may import whom. A zone is a folder; a file belongs to the longest one that holds it. Packages of the
 * workspace are named by their folder. Anything not listed is refused, so a new room must be drawn here first.
 */
export const ZONES = {
  'packages/contract/src': [],
  'packages/sql/src': [],

  'server/src/kernel': ['packages/contract/src', 'packages/sql/src'],
  'server/src/store': ['server/src/kernel'],
  'server/src/engines': ['packages/sql/src', 'server/src/kernel'],
  'server/src/compute': ['packages/contract/src', 'server/src/kernel', 'server/src/engines'],
  'server/src/modules': [
    'packages/contract/src',
    'packages/sql/src',
    'server/src/kernel',
    'server/src/store',
    'server/src/engines/engine.ts',
  ],
  'server/src/doors': [
    'packages/contract/src',
    'packages/sql/src',
    'server/src/kernel',
    'server/src/modules',
    'server/src/store/schema.ts',
  ],
  'server/src/jobs': ['server/src/kernel', 'server/src/modules'],
  'server/src/testing': ['packages', 'server/src'],
  'server/src': ['packages/contract/src', 'packages/sql/src', 'server/src'],

  'console/src/lib': ['packages/contract/src', 'packages/sql/src'],
  'console/src/ui': [],
  'console/src/i18n': ['packages/contract/src'],
  'console/src/features': [
    'packages/contract/src',
    'packages/sql/src',
    'console/src/lib',
    'console/src/ui',
    'console/src/i18n',
  ],
  'console/src/app': [
    'packages/contract/src',
    'console/src/lib',
    'console/src/ui',
    'console/src/i18n',
    'console/src/features',
  ],
  'console/src/testing': ['packages', 'console/src'],
  'console/src': ['console/src'],

  'cli/src': ['packages/contract/src', 'server/src/config.ts', 'server/src/running-server.ts'],
  e2e: ['packages/contract/src'],
  bench: ['packages/contract/src', 'packages/sql/src', 'server/src/modules/samples'],
}

/** Folders whose children must not know one another. */
export const STRANGERS = ['console/src/features']

/** Libraries that stay behind one door. */
export const LIBRARIES = {
  '@mantine/': ['console/src/ui'],
  fastify: ['server/src/doors/http'],
  ws: ['server/src/doors/realtime', 'server/src/testing', 'e2e', 'bench'],
  pg: ['server/src/store', 'server/src/testing'],
  '@duckdb/node-api': ['server/src/engines', 'server/src/modules/samples', 'bench'],
  react: ['console/src'],
}
