export function noteSkipped(file: string, count: number): void
export function noteFailed(file: string, title: string, cause?: string): void
export function collectOutcomes(): { lines(): string[] }
