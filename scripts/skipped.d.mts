export function noteSkipped(file: string, count: number): void
export function collectSkipped(): { lines(): string[] }
