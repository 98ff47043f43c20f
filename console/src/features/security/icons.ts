export { default as IconDownload } from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
