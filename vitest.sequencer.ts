import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that run for longest. On a clean clone nothing is known of a file but its size, and these are small: without
 * this list they come last, and one worker runs them while the others have nothing left to do.
 */
const LONGEST_FIRST = [
  'server/src/engines/duckdb/duckdb.test.ts',
  'server/src/engines/duckdb/hostile.test.ts',
  'server/src/engines/duckdb/in-process.test.ts',
  'bench/torture/torture.test.ts',
  'bench/torture/tasks.test.ts',
  'server/src/engines/duckdb/objects/statement-corpus.served.test.ts',
  'server/src/store/store.test.ts',
  'server/src/engines/duckdb/rendering/driver-questions.served.test.ts',
  'server/src/store/crash.test.ts',
  'server/src/engines/duckdb/guard/seen-listings.served.test.ts',
  'server/src/modules/query/history/many-statements.test.ts',
]

const placeOf = ({ moduleId }: TestSpecification): number => {
  const at = LONGEST_FIRST.findIndex((file) => moduleId.endsWith(`/${file}`))
  return at === -1 ? LONGEST_FIRST.length : at
}

/** Within their projects: a worker that changes to another project begins again with nothing imported. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const projects = [...new Set(sorted.map(({ project }) => project))]
    return projects.flatMap((project) =>
      sorted
        .filter((file) => file.project === project)
        .toSorted((one, other) => placeOf(one) - placeOf(other)),
    )
  }
}
