export type { DefinedObject, Definition } from './definitions.ts'
export { readDefinition } from './definitions.ts'
export type { Classification, Explained } from './kinds.ts'
export { classify, kindOf } from './kinds.ts'
export { tokenize } from './lexer.ts'
export { likeMatcher } from './like.ts'
export type { Position } from './position.ts'
export { lineColumnAt, offsetAt } from './position.ts'
export {
  quoteIdentifier,
  quoteString,
  requoteBackticks,
  unquoteIdentifier,
  unquoteString,
} from './quoting.ts'
export type { DatabaseDefinition, DatabaseName, SetVariable } from './service-statements.ts'
export {
  readCreateDatabase,
  readDropDatabase,
  readSetCatalog,
  readSetRole,
  readSetVariable,
  readSetWarehouse,
  readUse,
} from './service-statements.ts'
export type { ShowKind, ShowStatement } from './show-statements.ts'
export { readShow } from './show-statements.ts'
export type { Statement } from './split.ts'
export { splitStatements, statementAt } from './split.ts'
export type { StatementClass, StatementKind } from './statement-kinds.ts'
export { STATEMENT_KINDS } from './statement-kinds.ts'
export type { TableReference } from './table-references.ts'
export { tableReferences } from './table-references.ts'
export type { Token, TokenKind } from './token.ts'
export type { WarehouseAlteration, WarehouseDefinition, WarehouseName } from './warehouse-statements.ts'
export {
  readAlterWarehouse,
  readCreateWarehouse,
  readDescribeWarehouse,
  readDropWarehouse,
  readResumeWarehouse,
  readSuspendWarehouse,
} from './warehouse-statements.ts'
