export { default as IconDots } from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
export { default as IconFileText } from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs'
export { default as IconTrash } from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
