import { expect, test } from 'vitest'

const displayOf = (html: string): string => {
  document.body.innerHTML = html
  return getComputedStyle(document.body.querySelector('[data-it]') ?? document.body).display
}

test.each([
  ['<div data-it></div>', 'block'],
  ['<span data-it></span>', 'inline'],
  ['<div data-it hidden></div>', 'none'],
  ['<dialog data-it></dialog>', 'none'],
  ['<dialog data-it open></dialog>', 'block'],
  ['<div data-it style="display: none"></div>', 'none'],
  ['<div data-it hidden style="display: flex"></div>', 'flex'],
])('%s is shown as in a browser: %s', (html, display) => expect(displayOf(html)).toBe(display))

test('what is hidden hides what is in it, unless that says otherwise', () => {
  document.body.innerHTML = '<p style="visibility: hidden"><b></b><i style="visibility: visible"></i></p>'
  const [bold, italic] = ['b', 'i'].map((name) =>
    getComputedStyle(document.body.querySelector(name) ?? document.body),
  )
  expect(bold?.visibility).toBe('hidden')
  expect(italic?.getPropertyValue('visibility')).toBe('visible')
})

test('everything else is answered by the window', () => {
  document.body.innerHTML = '<p style="color: rgb(1, 2, 3)"></p>'
  expect(getComputedStyle(document.body.querySelector('p') ?? document.body).color).toBe('rgb(1, 2, 3)')
})
