// What this browser keeps. Storage can be full or forbidden: then nothing is kept, and
// nothing is there.

type Where = "localStorage" | "sessionStorage"; // the latter is of this tab

export function getItem(item: string, where: Where = "localStorage"): string | null {
  try {
    return globalThis[where].getItem(item);
  } catch {
    return null;
  }
}

// setItem keeps a text, or nothing any more.
export function setItem(item: string, text: string | null, where: Where = "localStorage"): void {
  try {
    if (text === null) globalThis[where].removeItem(item);
    else globalThis[where].setItem(item, text);
  } catch {
    // Whoever reads it does without.
  }
}

// storedValue is what is kept as JSON, null where there is none.
export function storedValue(item: string, where?: Where): unknown {
  try {
    return JSON.parse(getItem(item, where) ?? "null");
  } catch {
    return null;
  }
}
