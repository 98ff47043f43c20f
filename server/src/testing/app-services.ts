import type { Built } from '../build.ts'

/** What tests call of the server without a request. */
export function servicesOf(built: Built) {
  return {
    http: built.app,
    /** Null unless `BOATHOUSE_MYSQL_PORT` is set, which is off in tests. */
    mysql: built.mysql,
    privateHttp: built.privateHttp,
    vpcEndpoints: built.identity.vpcEndpoints,
    approvedEndpoints: built.identity.approved,
    queries: built.queries,
    iamRoles: built.catalog.iamRoles,
    results: built.results,
    downloads: built.downloads,
    loads: built.loads,
    room: built.room,
    editor: built.editor,
    warehouses: built.warehouses,
    lineage: built.lineage,
    materialized: built.tasks.materialized,
    tasks: built.tasks.submitted,
    scheduledTasks: built.tasks.scheduled,
    schedules: built.schedules,
    dashboards: built.dashboards,
    compute: built.compute,
    folders: built.folders,
    /** Null unless it has an engine for clusters. */
    lakes: built.lakes,
    clusterJobs: built.clusters.jobs,
    outside: built.catalog.outside,
    alerts: built.identity.alerts,
    mails: built.identity.mails,
    links: built.identity.links,
    passwords: built.identity.passwords,
    orgs: built.identity.orgs,
    trials: built.identity.trials,
    payments: built.identity.payments,
    budgets: built.identity.budgets,
    storage: built.identity.storage,
    accountLife: built.identity.accountLife,
    firewall: built.identity.firewall,
    operator: built.operator,
    regions: built.identity.regions,
    marketplaces: built.identity.marketplaces,
    notes: built.catalog.notes,
    signIns: built.identity.signIns,
    actorOf: built.identity.users.actorOf,
    plainSignIn: built.identity.plainSignIn,
    keySignIn: built.identity.keySignIn,
    /** Before a test looks into the table of statements itself. */
    endsWritten: built.endsWritten,
  }
}
