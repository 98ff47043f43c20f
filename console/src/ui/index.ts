export { Badge, StateDot } from './badge.tsx'
export type { Tone } from './badge.tsx'
export { BarChart } from './bar-chart.tsx'

export { Button, buttonClassName } from './button.tsx'

export { classNames } from './class-names.ts'
export { CodeBlock } from './code-block.tsx'
export { useColorScheme } from './color-scheme.ts'
export type { ColorSchemeChoice } from './color-scheme.ts'
export { Checkboxes } from './checkboxes.tsx'
export { ConfirmDialog } from './confirm-dialog.tsx'
export { useCopy } from './copy.tsx'

export { DataTable, sortedRows } from './data-table.tsx'
export type { TableColumn, TableSort } from './data-table.tsx'
export { Dialog } from './dialog.tsx'

export { FormDialog } from './form-dialog.tsx'
export { Drawer } from './drawer.tsx'
export { IconButton } from './icon-button.tsx'

export { Kbd, keyName } from './kbd.tsx'
export { DetailPage, Page, SideSection, Stack, Toolbar } from './layout.tsx'
export { Logo } from './logo.tsx'
export { useMenuAnchor } from './use-menu-anchor.ts'
export { Menu } from './menu.tsx'
export type { MenuEntry } from './menu.tsx'
export { forgetNotices, rememberNotice, usePastNotices } from './notice-history.ts'
export type { PastNotice } from './notice-history.ts'
export { PageHeader } from './page-header.tsx'
export { Pager } from './pager.tsx'
export { Panel } from './panel.tsx'
export { PasswordField } from './password-field.tsx'

export { Properties } from './properties.tsx'
export { Refusal } from './refusal.tsx'
export { useInView } from './in-view.ts'
export { Segmented } from './segmented.tsx'

export { Select } from './select.tsx'

export { Skeleton } from './skeleton.tsx'
export { Sparkline } from './sparkline.tsx'
export { Spinner } from './spinner.tsx'
export { StatCard, StatCards } from './stat-card.tsx'
export { EmptyState, ErrorState, NoPermission } from './states.tsx'

export { Switch } from './switch.tsx'
export { Tabs } from './tabs.tsx'

export { TextField } from './text-field.tsx'

export { BaseProvider } from './theme-provider.tsx'
export { dismissAllNotices, notify } from './toasts.tsx'

export { Tooltip } from './tooltip.tsx'
