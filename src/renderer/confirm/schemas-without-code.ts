import { config } from 'zod';

// The page's Content-Security-Policy forbids generated code. This must run before the first schema is created.
config({ jitless: true });
