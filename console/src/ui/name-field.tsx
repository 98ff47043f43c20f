import { TextField, type TextFieldProps } from './text-field.tsx'

/** A name that the service or the engine keeps: typed to the letter. */
export const NameField = (props: TextFieldProps) => (
  <TextField mono autoComplete="off" autoCapitalize="none" spellCheck={false} {...props} />
)
