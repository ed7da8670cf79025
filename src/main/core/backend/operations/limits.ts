/** How long an approval may be used when nobody says otherwise. */
export const approvalMs = 10 * 60 * 1000;

/** Approvals of one principal that wait at once. */
export const mostWaiting = 200;

/** How many of one account keep the bytes of an upload. */
export const mostWaitingUploads = 20;

/** What the payloads of one account that wait may weigh together. */
export const mostWaitingBytes = 64 * 1024 * 1024;

/** How long an operation is remembered, with its idempotency key. */
export const operationMs = 30 * 24 * 60 * 60 * 1000;

/** How many operations of one principal are remembered. */
export const mostOperations = 2_000;
