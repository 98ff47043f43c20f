import { CODES } from '@boathouse/contract/codes'
import { kindOf } from '@boathouse/sql'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { errorHelp } from '../../../i18n/en/error-help.ts'
import { ErrorHelp, topicOf } from './error-help.tsx'

const failed = { errCode: CODES.QueryFailed.code, errKind: 'data', errDetail: undefined } as const

test('the help is for what is most exactly the matter', () => {
  expect(topicOf({ ...failed, errDetail: 'division-by-zero' })).toBe('division-by-zero')
  expect(topicOf({ ...failed, errKind: 'resource' })).toBe('resource')
  expect(topicOf({ ...failed, errCode: CODES.StatementTimedOut.code })).toBe('StatementTimedOut')
  expect(topicOf({ ...failed, errDetail: 'of a newer version' })).toBeNull()
  expect(topicOf({ ...failed, errDetail: 'label' })).toBeNull()
  expect(topicOf({ ...failed, errDetail: 'toString' })).toBeNull()
})

test('it says what to change, with an example', () => {
  render(<ErrorHelp failed={{ ...failed, errDetail: 'division-by-zero' }} />)
  const help = screen.getByRole('region', { name: 'What you can do' })
  expect(help.textContent).toContain('NULLIF makes NULL of zero')
  expect(help.textContent).toContain('nullif(visits, 0)')
})

test('every example is a statement that is known here', () => {
  const examples = Object.values(errorHelp).flatMap((help) =>
    typeof help === 'object' && 'example' in help ? [help.example] : [],
  )
  expect(examples.filter((sql) => kindOf(sql) === 'unknown')).toEqual([])
})
