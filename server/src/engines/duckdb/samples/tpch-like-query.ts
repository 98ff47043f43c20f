export interface TpchLikeQuery {
  /** q01 to q22: the question is the one TPC-H asks under this number. */
  readonly id: string
  readonly title: string
  /** Names tables without their database, so the session must be in the one that has them. */
  readonly sql: string
}
