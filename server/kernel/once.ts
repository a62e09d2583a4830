/** Runs the task at the first call; returns the same promise after that. */
export function once(task: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => {
    running ??= task();
    return running;
  };
}
