import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { type TextResult, UNFINISHED } from '../../../results/form.ts'

/** At once: a small file is written sooner than anyone else is asked to write it. */
export function writeTexts(file: string, result: TextResult): void {
  const draft = `${file}${UNFINISHED}`
  try {
    writeFileSync(draft, JSON.stringify(result))
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
