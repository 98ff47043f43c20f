import { foldedName } from '../../../kernel/same-name.ts'
import type { OutsideTable } from '../../../kernel/outside.ts'
import { MOST_IGNORED, whyNoName } from '../folders/layout.ts'

/** Of names that differ only in letter case, the first is shown; names that are invalid here are ignored. */
export class ShownNames {
  readonly databases: string[] = []
  readonly ignored: string[] = []
  private readonly seen = new Map<string, string>()

  begin(databases: readonly string[], ignored: readonly string[]): void {
    for (const why of ignored) this.ignore(why)
    for (const database of databases) if (this.isNew(database, database)) this.databases.push(database)
  }

  take({ database, name }: Pick<OutsideTable, 'database' | 'name'>): boolean {
    if (this.seen.get(foldedName(database)) !== database) return false
    return this.isNew(name, `${database}/${name}`, `${database}\n${name}`)
  }

  private isNew(name: string, where: string, whole = where): boolean {
    const key = foldedName(whole)
    const why = whyNoName(name, where)
    const isTaken = this.seen.has(key)
    if (why !== null) this.ignore(why)
    else if (isTaken) this.ignore(`${where} differs from another only in letter case`)
    else this.seen.set(key, whole)
    return why === null && !isTaken
  }

  private ignore(why: string): void {
    if (this.ignored.length < MOST_IGNORED) this.ignored.push(why)
  }
}
