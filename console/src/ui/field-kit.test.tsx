import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { Checkbox } from './checkboxes.tsx'
import { FormDialog } from './form-dialog.tsx'
import { NameField } from './name-field.tsx'
import { useProblems } from './problems.ts'
import { useTypedName } from './typed-name.tsx'

function Form({ onSend }: { onSend: (text: string) => void }) {
  const [values, setValues] = useState({ name: '', size: '' })
  const problems = useProblems({
    name: /^[a-z]+$/.test(values.name) ? undefined : 'Letters only',
    size: values.size === '' ? 'Enter a size' : undefined,
  })
  const send = async () => {
    if (problems.accept()) onSend(values.name)
  }
  return (
    <FormDialog
      title="Form"
      confirmLabel="Send"
      isWorking={false}
      refusal={undefined}
      onSubmit={send}
      onClose={() => undefined}
    >
      <NameField
        {...problems.of('name')}
        label="Name"
        value={values.name}
        onChange={(event) => setValues({ ...values, name: event.target.value })}
      />
      <NameField
        {...problems.of('size')}
        label="Size"
        value={values.size}
        onChange={(event) => setValues({ ...values, size: event.target.value })}
      />
    </FormDialog>
  )
}

test('a field says what is wrong when it is left, and stops when it is right', async () => {
  const user = userEvent.setup()
  render(<Form onSend={() => undefined} />)
  const name = screen.getByLabelText('Name')
  await user.type(name, '12')
  expect(screen.queryByRole('alert')).toBeNull()
  await user.tab()
  expect(screen.getByRole('alert').textContent).toBe('Letters only')
  expect(name.getAttribute('aria-invalid')).toBe('true')
  await user.clear(name)
  await user.type(name, 'ab')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('one that was never filled is left in peace until the form is sent', async () => {
  const user = userEvent.setup()
  const onSend = vi.fn<(text: string) => void>()
  render(<Form onSend={onSend} />)
  await user.click(screen.getByLabelText('Name'))
  await user.tab()
  await user.tab()
  expect(screen.queryByRole('alert')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Send' }))
  expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
    'Letters only',
    'Enter a size',
  ])
  // The form moves the focus once it has heard that it was refused.
  await expect.poll(() => document.activeElement).toBe(screen.getByLabelText('Name'))
  expect(onSend).not.toHaveBeenCalled()
})

function Typed({ onRight }: { onRight: () => void }) {
  const typed = useTypedName('boats')
  return (
    <>
      {typed.field}
      <button disabled={typed.isEmpty} onClick={() => typed.accept() && onRight()}>
        Drop
      </button>
    </>
  )
}

test('a name that is typed to confirm is judged when it is left and when it counts', async () => {
  const user = userEvent.setup()
  const onRight = vi.fn<() => void>()
  render(<Typed onRight={onRight} />)
  const drop = screen.getByRole<HTMLButtonElement>('button', { name: 'Drop' })
  expect(drop.disabled).toBe(true)
  const field = screen.getByLabelText('Type boats to confirm')
  await user.type(field, 'Boats')
  await user.click(document.body)
  expect(screen.getByRole('alert').textContent).toBe('Type the name exactly as shown')
  await user.click(drop)
  expect(onRight).not.toHaveBeenCalled()
  await user.clear(field)
  await user.type(field, 'boats')
  await user.click(drop)
  expect(onRight).toHaveBeenCalledOnce()
})

test('a checkbox stays the platform’s own: by its label, by keys, and announced as checked', async () => {
  const user = userEvent.setup()
  const onChange = vi.fn<(checked: boolean) => void>()
  render(<Checkbox label="Nullable of column 1" text="Nullable" checked={false} onChange={onChange} />)
  const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Nullable of column 1' })
  await user.click(screen.getByText('Nullable'))
  box.focus()
  await user.keyboard(' ')
  expect(onChange.mock.calls).toEqual([[true], [true]])
})

/** Every source of the pages, by its path. */
const sources = import.meta.glob<string>(['../features/**/*.tsx', '../app/**/*.tsx', '!../**/*.test.tsx'], {
  query: '?raw',
  import: 'default',
  eager: true,
})
const offenders = (isWrong: (source: string) => boolean) =>
  Object.keys(sources).filter((path) => isWrong(sources[path] ?? ''))

const FIELDS = /<(?:Text|Name|Password|Time)Field\b[^]*?\/>/g

test('no field of any form has an error that is not watched on leaving', () => {
  expect(Object.keys(sources).length).toBeGreaterThan(150)
  const isUnwatched = (field: string) => /\berror=/.test(field) && !/\bonLeft=|\{\.\.\./.test(field)
  expect(offenders((source) => source.match(FIELDS)?.some(isUnwatched) ?? false)).toEqual([])
})

test('checkboxes and moments are drawn by the kit alone', () => {
  expect(offenders((source) => /type="(?:checkbox|date|datetime-local|time)"/.test(source))).toEqual([])
})

test('fields of names are the one of the kit', () => {
  const isName = (field: string) =>
    field.startsWith('<TextField') && /\bmono\b/.test(field) && /spellCheck=\{false\}/.test(field)
  expect(offenders((source) => source.match(FIELDS)?.some(isName) ?? false)).toEqual([])
})
