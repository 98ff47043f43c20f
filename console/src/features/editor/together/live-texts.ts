/** A text that others may change at the same time. */
export interface LiveText {
  /** False: its editor is gone, and it is saved as any other text. */
  isAlive(): boolean
  /**
   * Sends what was written here, and takes over what others wrote; the text and its revision when both sides are equal.
   * Nothing is asked for where `known` is a revision that is here already, and nothing is to be sent.
   */
  sync(known?: number): Promise<{ sql: string; revision: number }>
}

/** The service does not have the changes any more that this window missed. */
export class StaleText extends Error {}

export interface LiveTexts {
  of(tabId: string): LiveText | undefined
  begin(tabId: string, text: LiveText): void
  end(tabId: string): void
}

export function createLiveTexts(): LiveTexts {
  const texts = new Map<string, LiveText>()
  return {
    of(tabId) {
      const text = texts.get(tabId)
      if (text?.isAlive()) return text
      texts.delete(tabId)
      return undefined
    },
    begin: (tabId, text) => void texts.set(tabId, text),
    end: (tabId) => void texts.delete(tabId),
  }
}
