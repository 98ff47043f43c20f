import type { FocusEvent, FocusEventHandler } from 'react'

type Input = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** What a field has for those who judge it. */
export interface Left {
  /** The focus has gone elsewhere, and something is in the field. */
  readonly onLeft?: (() => void) | undefined
}

/** A message that appears now would move the button away from under the pointer; the button says what is wrong. */
const isPressed = (element: EventTarget | null): boolean =>
  element instanceof HTMLButtonElement && element.matches(':active')

/** The one place that decides when a field was left. One that was never filled is not complained about. */
export const leaving =
  <E extends Input>({ onLeft }: Left, onBlur?: FocusEventHandler<E>) =>
  (event: FocusEvent<E>): void => {
    onBlur?.(event)
    if (event.currentTarget.value !== '' && !isPressed(event.relatedTarget)) onLeft?.()
  }
