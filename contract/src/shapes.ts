// The shapes that the interface's description names.
export { ApiKey, ApiKeyWithKey, CreateApiKey } from './shapes/api-key.ts'
export { Brand } from './shapes/brand.ts'
export { ErrorBody } from './shapes/error-body.ts'
export { Event } from './shapes/event.ts'
export {
  CreateOrganization,
  CreateOrganizationInvitation,
  CreateOrganizationMember,
  Organization,
  OrganizationInvitation,
  OrganizationMember,
  UpdateOrganization,
  UpdateOrganizationInvitation,
  UpdateOrganizationMember,
} from './shapes/organization.ts'
export { CreateUpload, File, MediaStatistic, Upload, UploadWithUrl } from './shapes/media.ts'
export { CreateRole, Role, UpdateRole } from './shapes/role.ts'
export { SocialConnection } from './shapes/social-connection.ts'
export { CreateSocialProvider, SocialProvider, UpdateSocialProvider } from './shapes/social-provider.ts'
export { SignInAttempt, SignInAttemptRecord, SignUpAttempt, SignUpAttemptRecord } from './shapes/attempt.ts'
export { Deployment } from './shapes/deployment.ts'
export { Authenticator } from './shapes/authenticator.ts'
export { ImpersonateUser, NewSession, Session, SessionRecord } from './shapes/session.ts'
export { ExplainSignIn, SignInExplanation } from './shapes/sign-in-explanation.ts'
export { DayCount, Statistic } from './shapes/statistic.ts'
export {
  CreateTenantInvitation,
  CreateTenantMember,
  TenantFlags,
  TenantInvitation,
  TenantMember,
} from './shapes/tenant-member.ts'
export {
  AuthDifference,
  AuthPreview,
  AuthVersion,
  TenantAuth,
  UpdateTenantAuth,
  UpdateTenantSession,
} from './shapes/tenant-auth.ts'
export { Channel, CreateChannel, UpdateChannel } from './shapes/channel.ts'
export { Message, MessageDayCount, MessageStatistic, SendMessage, TestMessage } from './shapes/message.ts'
export { CreateTemplate, PreviewTemplate, RenderedTemplate, Template, UpdateTemplate } from './shapes/template.ts'
export { CreateDomain, TenantDomain } from './shapes/domain.ts'
export { JwkCertificate } from './shapes/jwk-certificate.ts'
export { Billing, CreateTenant, Domain, Tenant, UpdateBilling, UpdateTenant } from './shapes/tenant.ts'
export { TransformationStep } from './shapes/transformation-step.ts'
export { Transformation, WriteTransformation } from './shapes/transformation.ts'
export {
  ImportAnswer,
  ImportedLine,
  ImportedUser,
  ImportSummary,
  UserAuthenticator,
  UserDataExport,
} from './shapes/user-transfer.ts'
export {
  CreateEmailAddress,
  CreatePhoneNumber,
  CreateUser,
  EmailAddress,
  OrganizationUserSummary,
  PhoneNumber,
  UpdateUser,
  User,
  UserRole,
  UserSummary,
} from './shapes/user.ts'
export { CreateWebhook, UpdateWebhook, Webhook, WebhookDelivery, WebhookWithSecret } from './shapes/webhook.ts'
