import { expect, test } from 'vitest'
import { columnsOf } from './hand-over.ts'
import { valueText } from './values.ts'

const textOf = (type: string, value: unknown) =>
  valueText(columnsOf([{ name: 'c', type }])[0]?.valueType ?? { kind: 'unknown' })(value)

test.each([
  ['boolean', true, 'true'],
  ['bigint', '9007199254740993', '9007199254740993'],
  ['tinyint', -1, '-1'],
  ['double', 1.5, '1.5'],
  ['double', 100, '100.0'],
  ['double', 1e300, '1e+300'],
  ['double', 'NaN', 'nan'],
  ['double', '-Infinity', '-inf'],
  ['real', 0.1, '0.1'],
  ['decimal(38,2)', '12345678901234567890123456789012345.67', '12345678901234567890123456789012345.67'],
  ['varchar(5)', 'déjà', 'déjà'],
  ['char(4)', 'a   ', 'a   '],
  ['varbinary', 'AEEn/w==', String.raw`\x00A\x27\xFF`],
  ['date', '2026-01-31', '2026-01-31'],
  ['time(3)', '01:02:03.400', '01:02:03.4'],
  ['time(0) with time zone', '01:02:03+05:30', '01:02:03+05:30'],
  ['timestamp(12)', '2026-01-31 01:02:03.123456789012', '2026-01-31 01:02:03.123456789012'],
  ['timestamp(6)', '2026-01-31 01:02:03.000000', '2026-01-31 01:02:03'],
  ['timestamp(3) with time zone', '2026-01-31 01:02:03.000 UTC', '2026-01-31 01:02:03+00'],
  ['timestamp(3) with time zone', '2026-01-31 01:02:03.500 Europe/Berlin', '2026-01-31 01:02:03.5+01'],
  ['timestamp(3) with time zone', '2026-07-31 01:02:03.000 Europe/Berlin', '2026-07-31 01:02:03+02'],
  ['timestamp(0) with time zone', '2026-07-31 01:02:03 +05:30', '2026-07-31 01:02:03+05:30'],
  ['timestamp(0) with time zone', '2026-07-31 01:02:03 -08:00', '2026-07-31 01:02:03-08'],
  ['interval day to second', '2 03:04:05.678', '2 days 03:04:05.678'],
  ['interval day to second', '-1 00:00:00.000', '-1 day'],
  ['interval day to second', '0 00:00:00.000', '00:00:00'],
  ['interval year to month', '1-2', '1 year 2 months'],
  ['interval year to month', '-0-3', '-3 months'],
  ['json', '{"a":[1]}', '{"a":[1]}'],
  ['uuid', '12151fd2-7586-11e9-8f9e-2a86e4085a59', '12151fd2-7586-11e9-8f9e-2a86e4085a59'],
  ['ipaddress', '10.0.0.1', '10.0.0.1'],
  ['array(bigint)', [1, null, '9007199254740993'], '[1, NULL, 9007199254740993]'],
  ['array(varchar)', ['a', "it's", ''], String.raw`[a, 'it\'s', '']`],
  ['map(varchar, integer)', { a: 1, b: null }, '{a=1, b=NULL}'],
  ['row(a bigint, "b c" varchar)', [1, 'x'], "{'a': 1, 'b c': x}"],
  ['row(bigint, varchar)', [1, 'x'], '(1, x)'],
  ['array(row(t timestamp(3)))', [['2026-01-31 00:00:00.000']], "[{'t': '2026-01-31 00:00:00'}]"],
  ['HyperLogLog', 'AAA=', 'AAA='],
  ['varchar', null, null],
])('writes a value of %s as every engine does: %j', (type, value, text) => {
  expect(textOf(type, value)).toBe(text)
})
