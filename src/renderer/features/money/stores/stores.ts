import { appBridge } from '#renderer/api/app-bridge.ts';
import { campaignsStore } from '#renderer/stores/campaigns/campaigns-store.ts';
import { createMoneyStore } from './money-store.ts';

export const moneyStore = createMoneyStore(appBridge, campaignsStore, document);
