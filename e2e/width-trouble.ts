import type { Page } from '@playwright/test'

/** What of a page does not fit its window: what makes it scroll sideways, is out of sight, overlaps or is cut without need. */
export const troubleOfWidth = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    const boxOf = (element: Element) => element.getBoundingClientRect()
    const nameOf = (element: Element) =>
      element.getAttribute('aria-label') ?? element.textContent.slice(0, 40) ?? element.tagName
    const isShown = (element: Element) => boxOf(element).width > 0
    const isWithin = (element: Element) =>
      boxOf(element).left >= 0 && boxOf(element).right <= innerWidth + 0.5

    const root = document.documentElement
    if (root.scrollWidth > innerWidth) found.push(`the page is ${root.scrollWidth} wide`)
    const main = document.querySelector('main')
    if (main && main.scrollWidth > main.clientWidth)
      found.push(`the page scrolls sideways: ${main.scrollWidth}`)

    const bar = document.querySelector('header')
    if (bar?.querySelector('nav')) {
      const tools = [...bar.querySelectorAll('button')].filter(isShown)
      for (const name of ['Notifications', 'User menu of']) {
        const tool = tools.find((one) => nameOf(one).includes(name))
        if (!tool || !isWithin(tool)) found.push(`out of sight: ${name}`)
      }
      const parts = [...bar.children].filter(isShown).toSorted((a, b) => boxOf(a).left - boxOf(b).left)
      for (const [at, part] of parts.entries()) {
        const next = parts[at + 1]
        if (next && boxOf(part).right > boxOf(next).left + 0.5)
          found.push(`in the bar, ${nameOf(part)} is over ${nameOf(next)}`)
      }
      const crumbs = bar.querySelector('nav')
      const last = crumbs?.querySelector('li:last-child')
      if (crumbs && last && boxOf(last).right > boxOf(crumbs).right + 0.5)
        found.push('the breadcrumb overflows')
    }

    for (const table of document.querySelectorAll('table')) {
      const frame = table.parentElement ?? table
      for (const cell of table.querySelectorAll('[data-stays]'))
        for (const button of cell.querySelectorAll('button, a'))
          if (!isWithin(button) || boxOf(button).right > boxOf(frame).right)
            found.push(`out of sight: ${nameOf(button)}`)
      // A text is cut: then no column beside it may have room that it does not need.
      const cut = [...table.querySelectorAll('td > div > div')].find(
        (one) => one.scrollWidth > one.clientWidth,
      )
      if (!cut) continue
      const rows = [...table.rows]
      for (const [column, header] of [...(rows[0]?.cells ?? [])].entries()) {
        const cells = rows.map((row) => row.cells[column]).filter((cell) => cell !== undefined)
        if (header.hasAttribute('data-stays') || cells.some((cell) => cell.style.minWidth)) continue
        const spare = cells.map((cell) => {
          const range = document.createRange()
          range.selectNodeContents(cell)
          const { paddingLeft, paddingRight } = getComputedStyle(cell)
          return (
            boxOf(cell).width -
            Number.parseFloat(paddingLeft) -
            Number.parseFloat(paddingRight) -
            range.getBoundingClientRect().width
          )
        })
        if (Math.min(...spare) > 2)
          found.push(`${nameOf(table)}: ${nameOf(header)} has room while ${nameOf(cut)} is cut`)
      }
    }
    return found
  })
