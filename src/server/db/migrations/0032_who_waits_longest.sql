DROP INDEX "chat_waiting";--> statement-breakpoint
DROP INDEX "contact_message_waiting";--> statement-breakpoint
CREATE INDEX "call_request_waiting" ON "call_request" USING btree ("created_at","id") WHERE "call_request"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "partner_application_waiting" ON "partner_application" USING btree ("created_at","id") WHERE "partner_application"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "chat_waiting" ON "chat" USING btree ("waiting_since","id") WHERE "chat"."waiting_since" is not null;--> statement-breakpoint
CREATE INDEX "contact_message_waiting" ON "contact_message" USING btree ("created_at","id") WHERE "contact_message"."closed_at" is null;