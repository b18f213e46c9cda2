// What stands in the fields of a choice of game and was not entered yet.

// Pending takes what stands in the fields of a GameChoice and was not entered: it hands that on and answers its spec,
// or "" where it is refused there. It is null where nothing of the kind stands.
export type Pending = { current: (() => Promise<string>) | null };

// chosen is the game that a page goes on with: what stands in the fields of its GameChoice, else its own.
export const chosen = (pending: Pending, spec: string): Promise<string> => pending.current?.() ?? Promise.resolve(spec);
