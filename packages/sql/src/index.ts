export type {
  GrantStatement,
  ObjectName,
  RoleChoice,
  UserDefinition,
} from './statements/access-statements.ts'
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
} from './statements/access-statements.ts'
export type { CatalogDefinition } from './statements/catalog-statements.ts'
export { readCreateCatalog, readDropCatalog, readRenameCatalog } from './statements/catalog-statements.ts'
export { readCommented } from './text/commented.ts'
export { readColumnMapping } from './parts/column-mapping.ts'
export type { DefinedObject } from './parts/definitions.ts'
export { readDefinition } from './parts/definitions.ts'
export { readDescribe } from './statements/describe-statement.ts'
export type { Classification } from './kinds/kinds.ts'
export { Lexer } from './text/lexer.ts'
export type { LoadData } from './statements/load-data-statement.ts'
export { readLoadData } from './statements/load-data-statement.ts'
export type { ShowLoad } from './statements/load-statements.ts'
export { readCancelLoad, readShowLoad } from './statements/load-statements.ts'
export { likeMatcher } from './statements/like.ts'
export type { PipeChange, PipeInsert, PipeProperties } from './statements/pipe-statements.ts'
export {
  readAlterPipe,
  readCreatePipe,
  readDescribePipe,
  readDropPipe,
} from './statements/pipe-statements.ts'

export { meantStatement, meantWord } from './kinds/meant-words.ts'
export { nearest } from './kinds/nearest.ts'
export type { IntervalUnit, RefreshChoice, Schedule } from './statements/materialized-view-statements.ts'
export {
  readAlterMaterializedView,
  readCreateMaterializedView,
  readDropMaterializedView,
  readRefreshMaterializedView,
} from './statements/materialized-view-statements.ts'
export type { Mention } from './text/names.ts'
export { findMention, findQualified, hasSplitText, namesIn } from './text/names.ts'
export type { Expansion, ExpansionOf, TooComplex } from './parts/binding-cost.ts'
export { bindingCost, STEPS_OF_EXPANSION, wordsForComplexity } from './parts/binding-cost.ts'
export type { Piece } from './text/piece.ts'
export { isUnterminated, keywordAt, kindAt, offsetOf, stringAt, textAt } from './text/piece.ts'
export { asksForProfile, PROFILE_HINT } from './parts/profile-hint.ts'
export type { Position } from './text/position.ts'
export { lineColumnAt } from './text/position.ts'
export type { Execute, UserVariable } from './statements/prepared-statements.ts'
export {
  parametersOf,
  readDeallocate,
  readExecute,
  readPrepare,
  readUserVariable,
  withValues,
} from './statements/prepared-statements.ts'

export { namedParameters, namedParametersIn, withNamedValues } from './statements/named-parameters.ts'
export { namedTables } from './parts/named-tables.ts'
export { queryPart } from './parts/query-part.ts'
export type { Quotes } from './text/quotes.ts'
export { dependsOnQuotes, STANDARD_QUOTES } from './text/quotes.ts'
export {
  backquoteIdentifier,
  quoteIdentifier,
  quoteString,
  textLiteral,
  unquoteIdentifier,
} from './text/quoting.ts'
export { literalAt, withStandardQuotes } from './text/requoting.ts'

export {
  readCreateDatabase,
  readDropDatabase,
  readKill,
  readSetCatalog,
  readSetRole,
  readSetWarehouse,
  readUse,
} from './statements/service-statements.ts'

export type { Assignment, SetValue } from './statements/set-statement.ts'
export { readSet } from './statements/set-statement.ts'
export { readShowWarnings } from './statements/show-warnings.ts'

export { rowMatcher, unknownColumn } from './statements/row-condition.ts'

export { readAlterTask, readDropTask, readSubmitTask } from './statements/task-statements.ts'
export type { CreateLikeStatement } from './statements/create-like-statement.ts'
export { readCreateLike, tableBody } from './statements/create-like-statement.ts'
export type { SavepointStatement } from './statements/transaction-statements.ts'
export { readSavepoint, readTransaction } from './statements/transaction-statements.ts'
export { placeOfUnread } from './text/token-reader.ts'

export type { AskedValue, SessionQuestion } from './parts/session-question.ts'
export { readSessionQuestion } from './parts/session-question.ts'
export { systemVariables } from './parts/system-variables.ts'
export { usedVariables } from './parts/used-variables.ts'
export type { RenderingRules } from './rendering/rendered.ts'
export { rendered } from './rendering/rendered.ts'
export { TokenEdits } from './rendering/token-edits.ts'
export { withShorterLists } from './parts/shorter-lists.ts'
export type { ShowStatement } from './statements/show-statements.ts'
export { readShow } from './statements/show-statements.ts'

export { splitStatements, statementAt } from './text/split.ts'
export type { Statement, Unclosed } from './statement.ts'
export { analyse, kindOf, readStatement } from './statement.ts'
export type { TokenKind } from './text/token.ts'
export { TOKEN } from './text/token.ts'
export type { Rewriting } from './text/text-edits.ts'
export { originalOffset } from './text/text-edits.ts'
export type { StatementClass, StatementKind } from './kinds/statement-kinds.ts'
export { STATEMENT_KINDS } from './kinds/statement-kinds.ts'
export type { WarehouseName, WarehouseOption } from './statements/warehouse-statements.ts'
export {
  readAlterWarehouse,
  readCreateWarehouse,
  readDescribeWarehouse,
  readDropWarehouse,
  readResumeWarehouse,
  readSuspendWarehouse,
} from './statements/warehouse-statements.ts'
export { findTopLevel } from './text/top-level.ts'
export { withoutValues } from './text/without-values.ts'
