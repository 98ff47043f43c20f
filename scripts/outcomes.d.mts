export function noteSkipped(file: string, count: number): void
export function noteFailed(file: string, title: string): void
export function collectOutcomes(): { lines(): string[] }
