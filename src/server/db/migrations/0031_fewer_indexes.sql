DROP INDEX "session_user_id_index";--> statement-breakpoint
DROP INDEX "session_former_user_id_index";--> statement-breakpoint
DROP INDEX "order_of_person";--> statement-breakpoint
CREATE INDEX "session_of_user" ON "session" USING btree ("user_id") WHERE "session"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "session_of_former_user" ON "session" USING btree ("former_user_id") WHERE "session"."former_user_id" is not null;