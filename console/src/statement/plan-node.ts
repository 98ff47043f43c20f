/** An operator of a plan and what it reads from. Times in milliseconds; null: unknown. */
export interface PlanNode {
  readonly operator: string
  readonly detail: string
  /** Its own, without what it reads from. */
  readonly timeMs: number | null
  readonly rows: number | null
  /** The rows are what the engine expected, not what it saw. */
  readonly isEstimate?: boolean
  readonly children: readonly PlanNode[]
}
