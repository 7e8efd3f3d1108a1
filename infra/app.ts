import { App } from 'aws-cdk-lib';
import { Service } from './service.ts';
import { settingsFrom } from './settings.ts';

const app = new App();
new Service(
  app,
  settingsFrom((name) => app.node.tryGetContext(name)),
);
