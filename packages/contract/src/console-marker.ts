/**
 * In statements that the console sends automatically, after their first word: a comment before it would not be part of
 * the statement. The history does not list them.
 */
export const CONSOLE_MARKER = '/* Boathouse console */'
