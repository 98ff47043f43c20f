import { TextField, type TextFieldProps } from './text-field.tsx'

/** As a placeholder. */
const UNFILLED = { color: 'var(--muted)' }

/** A moment, in the time zone of the browser: the platform's own field, which knows the keyboard and the telephone. */
export const TimeField = (props: Omit<TextFieldProps, 'type'>) => (
  <TextField
    {...props}
    type="datetime-local"
    max="9999-12-31T23:59"
    style={props.value === '' ? UNFILLED : undefined}
  />
)

/** A day, by the platform's own field too. */
export const DateField = (props: Omit<TextFieldProps, 'type'>) => (
  <TextField {...props} type="date" max="9999-12-31" style={props.value === '' ? UNFILLED : undefined} />
)

/** A time of any day. */
export const ClockField = (props: Omit<TextFieldProps, 'type'>) => (
  <TextField {...props} type="time" style={props.value === '' ? UNFILLED : undefined} />
)
