import { tpchLikeStatements } from './tpch-like.ts'

/** 600,000 order lines, made in about two seconds, 20 MB on disk. */
export const SAMPLE_SCALE = 0.1

export const sampleData = (database: string): string[] =>
  tpchLikeStatements({ database, scale: SAMPLE_SCALE })
