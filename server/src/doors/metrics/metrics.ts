import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

/** What this server counts about itself, in the Prometheus text format at `/metrics`. */
export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'boathouse_' })
  const registers = [registry]
  return {
    registry,
    requests: new Histogram({
      name: 'boathouse_http_request_seconds',
      help: 'Time to answer a request, by route and status',
      labelNames: ['route', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
      registers,
    }),
    failures: new Counter({
      name: 'boathouse_call_failures_total',
      help: 'Calls that returned a code other than 20000, by code',
      labelNames: ['code'],
      registers,
    }),
    channels: new Gauge({ name: 'boathouse_channels', help: 'Open realtime channels', registers }),
    engineIsolation: new Gauge({
      name: 'boathouse_engine_isolation',
      help: "1: each account's engine runs as a user of its own; 0: all run as the service does",
      registers,
    }),
    statements: new Counter({
      name: 'boathouse_statements_total',
      help: 'Statements ended, by state',
      labelNames: ['state'],
      registers,
    }),
    mysql: {
      connections: new Gauge({
        name: 'boathouse_mysql_connections',
        help: 'Open connections of the MySQL endpoint',
        registers,
      }),
      accepted: new Counter({
        name: 'boathouse_mysql_connections_total',
        help: 'Connections that the MySQL endpoint has accepted',
        registers,
      }),
      refused: new Counter({
        name: 'boathouse_mysql_handshakes_refused_total',
        help: 'Handshakes of MySQL clients that came to nothing, by cause',
        labelNames: ['cause'],
        registers,
      }),
      bytes: new Counter({
        name: 'boathouse_mysql_bytes_total',
        help: 'Bytes from and to MySQL clients, by direction',
        labelNames: ['direction'],
        registers,
      }),
      commands: new Counter({
        name: 'boathouse_mysql_commands_total',
        help: 'Commands of MySQL clients',
        registers,
      }),
      statements: new Counter({
        name: 'boathouse_mysql_statements_total',
        help: 'Statements of MySQL clients that ended, by whether they finished',
        labelNames: ['state'],
        registers,
      }),
    },
    strayRejections: new Counter({
      name: 'boathouse_stray_rejections_total',
      help: 'Unhandled failures; each is in the log and is a defect of the program',
      registers,
    }),
  }
}

export type Metrics = ReturnType<typeof createMetrics>

export const metricsText = (metrics: Metrics): Promise<string> => metrics.registry.metrics()
