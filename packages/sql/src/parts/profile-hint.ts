/** EDITOR-43: in a query, behind its first word. Other servers of this language know it, too. */
export const PROFILE_HINT = '/*+ SET_VAR(is_report_success=true) */'

const HINTED =
  /^(?:select|with|from)\s*\/\*\+\s*set_var\s*\(\s*(?:is_report_success|enable_profile)\s*=\s*(?:true|on|1)\s*\)\s*\*\//i

/** Whether a query asks for its profile. */
export const asksForProfile = (text: string): boolean => HINTED.test(text)
