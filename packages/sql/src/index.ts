export type { GrantStatement, ObjectName, RoleChoice } from './access-statements.ts'
export {
  readAlterUser,
  readCreateRole,
  readCreateUser,
  readDropRole,
  readDropUser,
  readGrant,
  readRevoke,
  readSetDefaultRole,
  readSetPassword,
  withoutSecrets,
} from './access-statements.ts'
export type { CatalogDefinition } from './catalog-statements.ts'
export { readCreateCatalog, readDropCatalog, readRenameCatalog } from './catalog-statements.ts'
export { readCommented } from './commented.ts'
export type { DefinedObject } from './definitions.ts'
export { readDefinition } from './definitions.ts'
export { readDescribe } from './describe-statement.ts'
export type { Classification } from './kinds.ts'
export { Lexer } from './lexer.ts'
export { likeMatcher } from './like.ts'

export { meantStatement, meantWord } from './meant-words.ts'
export { nearest } from './nearest.ts'
export type { IntervalUnit, RefreshChoice, Schedule } from './materialized-view-statements.ts'
export {
  readAlterMaterializedView,
  readCreateMaterializedView,
  readDropMaterializedView,
  readRefreshMaterializedView,
} from './materialized-view-statements.ts'
export type { Mention } from './names.ts'
export { findMention, findQualified, hasSplitText, namesIn } from './names.ts'
export type { Expansion, ExpansionOf, TooComplex } from './binding-cost.ts'
export { bindingCost, STEPS_OF_EXPANSION, wordsForComplexity } from './binding-cost.ts'
export type { Piece } from './piece.ts'
export { asksForProfile, PROFILE_HINT } from './profile-hint.ts'
export type { Position } from './position.ts'
export { lineColumnAt } from './position.ts'
export type { Execute, UserVariable } from './prepared-statements.ts'
export {
  parametersOf,
  readDeallocate,
  readExecute,
  readPrepare,
  readUserVariable,
  withValues,
} from './prepared-statements.ts'

export { queryPart } from './query-part.ts'
export type { Quotes } from './quotes.ts'
export { dependsOnQuotes, ENGINE_QUOTES } from './quotes.ts'
export { quoteIdentifier, quoteString, unquoteIdentifier } from './quoting.ts'

export {
  readCreateDatabase,
  readDropDatabase,
  readKill,
  readSetCatalog,
  readSetRole,
  readSetVariable,
  readSetWarehouse,
  readUse,
} from './service-statements.ts'

export { rowMatcher, unknownColumn } from './row-condition.ts'

export { readAlterTask, readDropTask, readSubmitTask } from './task-statements.ts'
export { placeOfUnread } from './token-reader.ts'

export { rewritten, systemVariables } from './rewrite.ts'
export { withShorterLists } from './shorter-lists.ts'
export type { ShowStatement } from './show-statements.ts'
export { readShow } from './show-statements.ts'

export { splitStatements, statementAt } from './split.ts'
export type { Statement, Unclosed } from './statement.ts'
export { analyse, engineText, kindOf, readStatement } from './statement.ts'
export type { TokenKind } from './token.ts'
export { TOKEN } from './token.ts'
export type { Rewriting } from './text-edits.ts'
export { originalOffset } from './text-edits.ts'
export type { StatementClass, StatementKind } from './statement-kinds.ts'
export { STATEMENT_KINDS } from './statement-kinds.ts'
export type { WarehouseName, WarehouseOption } from './warehouse-statements.ts'
export {
  readAlterWarehouse,
  readCreateWarehouse,
  readDescribeWarehouse,
  readDropWarehouse,
  readResumeWarehouse,
  readSuspendWarehouse,
} from './warehouse-statements.ts'
