/** What the menus of open queries say; they come when one is opened. */
export const tabMenu = {
  of: 'Actions for {name}',
  duplicate: 'Duplicate',
  closeToRight: 'Close to the right',
  open_one: '{count} open query',
  open_other: '{count} open queries',
}
