import { foldedName } from '../../../kernel/same-name.ts'
import type { IcebergField, IcebergType } from '../../../kernel/iceberg.ts'
import { TableRefused } from './manifests.ts'

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f]/

function fieldsIn(type: IcebergType): readonly (readonly IcebergField[])[] {
  if (typeof type === 'string') return []
  if (type.type === 'struct') return [type.fields]
  return type.type === 'list' ? fieldsIn(type.element) : [...fieldsIn(type.key), ...fieldsIn(type.value)]
}

/** Of columns, and of the parts of each. Throws a `TableRefused`. */
export function requireNames(columns: readonly IcebergField[]): void {
  const seen = new Map<string, string>()
  for (const { name, type } of columns) {
    if (CONTROL.test(name))
      throw new TableRefused(
        `its column ${JSON.stringify(name)} has a character that is not allowed in names`,
      )
    const other = seen.get(foldedName(name))
    if (other !== undefined)
      throw new TableRefused(
        `its columns ${other} and ${name} differ in letter case alone, and are one to this engine`,
      )
    seen.set(foldedName(name), name)
    for (const parts of fieldsIn(type)) requireNames(parts)
  }
}
