import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

/** Mounts a disk of its own in memory as this folder. Returns the reason if it cannot, else null. */
export function mountDisk(folder: string, sizeMb: number): string | null {
  if (process.platform !== 'linux') return 'Linux only';
  mkdirSync(folder);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m,mode=711`, 'tmpfs', folder], {
      stdio: 'pipe',
    });
  } catch {
    return 'only root, in a container that lets it, may mount a disk to fill';
  }
  return null;
}
