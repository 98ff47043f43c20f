import { access } from 'node:fs/promises'
import { type Extension, extensionFile, EXTENSIONS } from './extension-names.ts'

const PURPOSES: Readonly<Record<Extension, string>> = {
  httpfs: 'Reads catalogs and files in S3-compatible storage',
  avro: 'Reads the manifests of Iceberg tables',
  iceberg: 'Reads tables of Iceberg catalogs',
}

/** Which extensions lie in a folder. Whether they load is found out by `probe.ts`. */
export const installedExtensions = (folder: string) =>
  Promise.all(
    EXTENSIONS.map(async (name) => ({
      name,
      purpose: PURPOSES[name],
      isInstalled: await access(extensionFile(folder, name)).then(
        () => true,
        () => false,
      ),
    })),
  )
