/**
 * SQL as the text of a snippet that inserts it as it is: `${` would begin a field, and a backslash before a brace would be
 * dropped.
 */
export const snippetOf = (sql: string): string => sql.replaceAll(/\\(?=[{}])|(?<=[$#])(?=\{)/g, '$&\\')
